"""A simulated glucose meter on Bumble's own host stack, with faults that can be switched while it runs."""
import argparse
import secrets
import struct
from pathlib import Path
from typing import BinaryIO

from bumble import hci
from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.smp import PairingMethod
from bumble.snoop import BtSnooper
from bumble.transport.common import AsyncPipeSink

from air import Air, Radio
from meter_log import MeterLog
from glucose_service import GlucoseService
from records import Record, record


class Pairing(PairingDelegate):
    def __init__(self, log: MeterLog, refuses: bool, passkey: int | None):
        super().__init__(self.DISPLAY_OUTPUT_ONLY if passkey is not None else self.NO_OUTPUT_NO_INPUT)
        self.log, self.refuses, self.passkey = log, refuses, passkey

    async def accept(self) -> bool:
        self.log('PAIRING_REQUEST', accepted=not self.refuses)
        return not self.refuses

    async def generate_passkey(self) -> int:
        return self.passkey or 0

    async def display_number(self, number: int, digits: int) -> None:
        self.log('PASSKEY', number=f'{number:06}')


class GlucoseMeter:
    def __init__(self, options: argparse.Namespace, air: Air, log: MeterLog):
        self.options, self.air, self.log = options, air, log
        self.faults: dict[str, str] = {}
        self.held = [record(index, options.first_number + index) for index in range(options.records)]
        self.ever = list(self.held)     # with those deleted or lost to a reset
        self.epoch = 0
        self.bonds: dict[str, bool] = {}     # by peer: whether its key is authenticated
        self.snoop: BinaryIO | None = None
        public = options.public
        self.radio = Radio('meter', link=air, public_address=options.address if public else None)
        configuration = DeviceConfiguration(name=options.name, address=hci.Address(options.address), keystore=None)
        configuration.irk = secrets.token_bytes(16)     # a factory-new meter's own
        configuration.le_privacy_enabled = options.private
        configuration.le_rpa_timeout = 0
        self.device = Device(config=configuration, host=Host(self.radio, AsyncPipeSink(self.radio)))
        self.service = GlucoseService(self)
        if options.mtu:
            self.device.gatt_server.max_mtu = options.mtu

    def fault(self, name: str) -> str | None:
        return self.faults.get(name)

    def is_bonded(self, connection) -> bool:
        return str(connection.peer_address) in self.bonds

    def is_secure(self, connection) -> bool:
        """Encrypted, and where it shows a passkey by a key that came of one."""
        if not connection.encryption or self.options.passkey is None:
            return bool(connection.encryption)
        session = self.device.smp_manager.sessions.get(connection.handle)
        if session:
            return session.pairing_method != PairingMethod.JUST_WORKS
        return self.bonds.get(str(connection.peer_address), False)

    async def start(self, snoop: Path) -> None:
        options, device = self.options, self.device

        def pairing(connection) -> PairingConfig:
            refuses = 'no-encryption' in self.faults or 'refuse-pairing' in self.faults
            return PairingConfig(sc=not options.legacy, mitm=options.passkey is not None, bonding=True,
                                 delegate=Pairing(self.log, refuses, options.passkey))
        device.pairing_config_factory = pairing
        device.on('connection', self.on_connection)
        device.host.long_term_key_provider = self.long_term_key
        self.snoop = open(snoop, 'wb')
        device.host.snooper = BtSnooper(self.snoop)
        await device.power_on()
        device.keystore = MemoryKeyStore()
        await self.advertise()

    async def stop(self) -> None:
        self.service.stop()
        await self.device.stop_advertising()
        self.air.remove_controller(self.radio)
        if self.snoop:
            self.device.host.snooper = None
            self.snoop.close()
        self.log.close()

    async def advertise(self) -> None:
        data = AdvertisingData([
            (AdvertisingData.FLAGS, bytes([0x06])),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes.fromhex('0818')),
            (AdvertisingData.APPEARANCE, struct.pack('<H', 1024)),
            (AdvertisingData.COMPLETE_LOCAL_NAME, self.options.name.encode())])
        own = hci.OwnAddressType.PUBLIC if self.options.public else hci.OwnAddressType.RANDOM
        await self.device.start_advertising(
            own_address_type=own, auto_restart=True, advertising_data=bytes(data), scan_response_data=b'',
            advertising_interval_min=100, advertising_interval_max=100)

    def on_connection(self, connection) -> None:
        self.log('CONNECTED', peer=connection.peer_address)

        def on_disconnection(reason: int) -> None:
            self.service.stop()
            self.log('DISCONNECTED', reason=f'0x{reason:02X}')
            if self.snoop:
                self.snoop.flush()

        def on_encryption() -> None:
            known = self.is_bonded(connection)
            self.log('ENCRYPTED', on=connection.encryption, bonded=known)
            if known:
                self.service.restore_cccds(connection)

        def on_pairing(keys) -> None:
            authenticated = (keys.ltk or keys.ltk_peripheral).authenticated
            self.bonds[str(connection.peer_address)] = authenticated
            self.log('PAIRED', sc=connection.sc, mitm=authenticated)

        connection.on('disconnection', on_disconnection)
        connection.on('connection_encryption_change', on_encryption)
        connection.on('pairing', on_pairing)
        connection.on('pairing_failure', lambda reason: self.log('PAIRING_FAILED', reason=reason))
        connection.on('connection_att_mtu_update', lambda: self.log('MTU', mtu=connection.att_mtu))
        if not self.options.no_security_request and not {'no-encryption', 'refuse-pairing'} & set(self.faults):
            connection.request_pairing()         # GLP 6.1: the sensor sends a Security Request

    async def long_term_key(self, handle: int, rand: bytes, ediv: int) -> bytes | None:
        """Bumble 0.0.236 stores the key a peripheral distributed in legacy pairing as ltk_central, but looks for it in
        ltk_peripheral: go by EDIV and Rand instead."""
        connection = self.device.lookup_connection(handle)
        keys = connection and await self.device.keystore.get(str(connection.peer_address))
        if keys and handle not in self.device.smp_manager.sessions:
            for key in (keys.ltk_central, keys.ltk_peripheral):
                if key and (key.rand, key.ediv) == (rand, ediv):
                    return key.value
        return await self.device.get_long_term_key(handle, rand, ediv)

    async def forget_bonds(self) -> None:
        await self.device.keystore.delete_all()
        self.bonds.clear()
        self.service.cccds.clear()

    def add(self, records: list[Record]) -> None:
        self.held = self.held + records
        self.ever = self.ever + records
