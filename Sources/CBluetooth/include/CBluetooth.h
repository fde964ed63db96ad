#pragma once
#include <stddef.h>
#include <stdint.h>

/* What Swift cannot import of the kernel's Bluetooth sockets: macros, packed structures, flexible arrays, ancillary
   data. Every function gives a negative errno where it fails. Addresses are six octets, least significant first. */

#define BLUETOOTH_NO_ADAPTER 0xFFFF

/* The channels of an HCI socket. */
enum bluetooth_hci_channel {
  BLUETOOTH_CHANNEL_RAW,
  BLUETOOTH_CHANNEL_MONITOR,
  BLUETOOTH_CHANNEL_CONTROL,
};

/* What the kernel says of an adapter through a raw socket. */
struct bluetooth_adapter_facts {
  uint16_t identifier;
  uint8_t address[6];
  uint8_t bus;
  uint8_t kind;
  uint8_t is_up;
  uint8_t is_raw;
  char name[9];
  uint16_t acl_packet_length;
  uint16_t acl_packets;
  uint32_t received_octets;
  uint32_t sent_octets;
  uint32_t receive_errors;
  uint32_t send_errors;
};

/* Opens a non-blocking HCI socket and binds it to a channel; raw sockets are bound to no adapter. */
int bluetooth_open_hci(enum bluetooth_hci_channel channel);

/* The identifiers of the adapters there are, at most `room`; the count. */
int bluetooth_list_adapters(int descriptor, uint16_t *identifiers, int room);

int bluetooth_read_adapter(int descriptor, uint16_t identifier, struct bluetooth_adapter_facts *facts);

/* Opens a non-blocking L2CAP socket for the attribute channel (CID 4) from the adapter with the address `local`. */
int bluetooth_open_attribute_channel(const uint8_t local[6]);

/* Begins to connect; -EINPROGRESS is the regular answer. */
int bluetooth_connect_attribute_channel(int descriptor, const uint8_t peer[6], int is_random);

/* Levels: 1 none, 2 encrypted, 3 encrypted and authenticated, 4 the same with Secure Connections. */
int bluetooth_raise_security(int descriptor, uint8_t level);

int bluetooth_read_security(int descriptor, uint8_t *level, uint8_t *key_size);

/* The address the peer has now: its identity once the kernel knows it. */
int bluetooth_read_peer(int descriptor, uint8_t peer[6], int *is_random);

/* The error waiting on a socket, as a positive errno; 0 for none. */
int bluetooth_take_error(int descriptor);

/* Asks for room for `octets` of what is not read yet; without CAP_NET_ADMIN the system's limit holds. */
void bluetooth_enlarge_receive_buffer(int descriptor, int octets);

/* Asks for kernel time stamps. */
int bluetooth_ask_for_stamps(int descriptor);

/* One datagram and its time in microseconds since 1970; the octet count, 0 at the end. */
ptrdiff_t bluetooth_receive_stamped(int descriptor, void *buffer, size_t room, int64_t *time);

/* How many datagrams the kernel let go because nobody read them; 0 where it does not say. */
uint32_t bluetooth_lost_datagrams(int descriptor);

/* Takes SIGINT, SIGTERM and SIGHUP out of the way of the process and gives a descriptor that reports them. */
int bluetooth_open_termination(void);

/* Reads one signal; its number, 0 where none waits. */
int bluetooth_take_signal(int descriptor);
