"""The radio: controllers of Bumble joined in this process, one of them the kernel's adapter."""
import asyncio

from bumble import hci
from bumble.controller import Connection, Controller
from bumble.link import LocalLink


class Air(LocalLink):
    """ACL data carry the address of the connection they belong to (Bumble's own always takes the random address, which
    fails for a central with a public one), and links can be lost."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        here = sender_controller.le_connections.get(destination_address)
        there = self.find_le_controller(destination_address)
        if here and there:
            asyncio.get_running_loop().call_soon(there.on_link_acl_data, here.self_address, transport, data)

    def lose(self, of: Controller | None = None) -> None:
        """Every connection ends with Connection Timeout, on both sides or as one side alone sees it."""
        for controller in [of] if of else list(self.controllers):
            for connection in list(controller.le_connections.values()):
                controller.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)


class Radio(Controller):
    """Tells a host that disconnects 0x16, Connection Terminated by Local Host, as real controllers do (Bumble's own
    repeats the reason of the command, as if the peer had)."""
    by_host = False

    def on_hci_disconnect_command(self, command):
        self.by_host = True
        try:
            return super().on_hci_disconnect_command(command)
        finally:
            self.by_host = False

    def on_le_disconnected(self, connection: Connection, reason: int) -> None:
        own = hci.HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        super().on_le_disconnected(connection, own if self.by_host else reason)


class Adapter(Radio):
    """The kernel's controller: plain LE only, no extended advertising."""
    le_features = (hci.LeFeatureMask.LE_ENCRYPTION | hci.LeFeatureMask.LE_PING
                   | hci.LeFeatureMask.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
                   | hci.LeFeatureMask.EXTENDED_REJECT_INDICATION)

    def on_hci_le_create_connection_cancel_command(self, command):
        # Bumble's own leaves the attempt pending and reports nothing.
        pending, self.pending_le_connection = self.pending_le_connection, None
        if not pending:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        complete = hci.HCI_LE_Connection_Complete_Event(
            status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, connection_handle=0, role=hci.Role.CENTRAL,
            peer_address_type=pending.peer_address.address_type, peer_address=pending.peer_address,
            connection_interval=0, peripheral_latency=0, supervision_timeout=0, central_clock_accuracy=0)
        asyncio.get_running_loop().call_later(0.001, self.send_hci_packet, complete)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)
