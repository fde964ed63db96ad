#define _GNU_SOURCE
#include "CBluetooth.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>
#include <errno.h>
#include <linux/sock_diag.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { ATTRIBUTE_CHANNEL = 4 };

static int negative_errno(int result) { return result < 0 ? -errno : result; }

static int close_with_errno(int descriptor) {
  int number = errno;
  close(descriptor);
  return -number;
}

int bluetooth_open_hci(enum bluetooth_hci_channel channel) {
  static const unsigned short numbers[] = {HCI_CHANNEL_RAW, HCI_CHANNEL_MONITOR, HCI_CHANNEL_CONTROL};
  int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
  if (descriptor < 0) return -errno;
  struct sockaddr_hci address = {.hci_family = AF_BLUETOOTH, .hci_dev = HCI_DEV_NONE, .hci_channel = numbers[channel]};
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return close_with_errno(descriptor);
  return descriptor;
}

int bluetooth_list_adapters(int descriptor, uint16_t *identifiers, int room) {
  if (room > HCI_MAX_DEV) room = HCI_MAX_DEV;
  struct hci_dev_list_req *list = calloc(1, sizeof *list + (size_t)room * sizeof(struct hci_dev_req));
  if (!list) return -ENOMEM;
  list->dev_num = (uint16_t)room;
  int result = negative_errno(ioctl(descriptor, HCIGETDEVLIST, list));
  if (result >= 0) {
    result = list->dev_num < room ? list->dev_num : room;
    for (int place = 0; place < result; place++) identifiers[place] = list->dev_req[place].dev_id;
  }
  free(list);
  return result;
}

int bluetooth_read_adapter(int descriptor, uint16_t identifier, struct bluetooth_adapter_facts *facts) {
  struct hci_dev_info info = {.dev_id = identifier};
  int result = negative_errno(ioctl(descriptor, HCIGETDEVINFO, &info));
  if (result < 0) return result;
  memset(facts, 0, sizeof *facts);
  facts->identifier = info.dev_id;
  memcpy(facts->address, &info.bdaddr, sizeof facts->address);
  facts->bus = info.type & 0x0F;
  facts->kind = (info.type >> 4) & 0x03;
  facts->is_up = hci_test_bit(HCI_UP, &info.flags) != 0;
  facts->is_raw = hci_test_bit(HCI_RAW, &info.flags) != 0;
  memcpy(facts->name, info.name, sizeof info.name);
  facts->acl_packet_length = info.acl_mtu;
  facts->acl_packets = info.acl_pkts;
  facts->received_octets = info.stat.byte_rx;
  facts->sent_octets = info.stat.byte_tx;
  facts->receive_errors = info.stat.err_rx;
  facts->send_errors = info.stat.err_tx;
  return 0;
}

static struct sockaddr_l2 attribute_address(const uint8_t octets[6], uint8_t type) {
  struct sockaddr_l2 address = {.l2_family = AF_BLUETOOTH, .l2_cid = htobs(ATTRIBUTE_CHANNEL), .l2_bdaddr_type = type};
  memcpy(&address.l2_bdaddr, octets, sizeof address.l2_bdaddr);
  return address;
}

int bluetooth_open_attribute_channel(const uint8_t local[6]) {
  int descriptor = socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_L2CAP);
  if (descriptor < 0) return -errno;
  struct sockaddr_l2 address = attribute_address(local, BDADDR_LE_PUBLIC);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return close_with_errno(descriptor);
  return descriptor;
}

int bluetooth_connect_attribute_channel(int descriptor, const uint8_t peer[6], int is_random) {
  struct sockaddr_l2 address = attribute_address(peer, is_random ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC);
  return negative_errno(connect(descriptor, (struct sockaddr *)&address, sizeof address));
}

int bluetooth_raise_security(int descriptor, uint8_t level) {
  struct bt_security security = {.level = level};
  return negative_errno(setsockopt(descriptor, SOL_BLUETOOTH, BT_SECURITY, &security, sizeof security));
}

int bluetooth_read_security(int descriptor, uint8_t *level, uint8_t *key_size) {
  struct bt_security security = {0};
  socklen_t length = sizeof security;
  int result = negative_errno(getsockopt(descriptor, SOL_BLUETOOTH, BT_SECURITY, &security, &length));
  *level = security.level;
  *key_size = security.key_size;
  return result;
}

int bluetooth_read_peer(int descriptor, uint8_t peer[6], int *is_random) {
  struct sockaddr_l2 address = {0};
  socklen_t length = sizeof address;
  int result = negative_errno(getpeername(descriptor, (struct sockaddr *)&address, &length));
  memcpy(peer, &address.l2_bdaddr, sizeof address.l2_bdaddr);
  *is_random = address.l2_bdaddr_type == BDADDR_LE_RANDOM;
  return result;
}

int bluetooth_take_error(int descriptor) {
  int error = 0;
  socklen_t length = sizeof error;
  return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0 ? errno : error;
}

void bluetooth_enlarge_receive_buffer(int descriptor, int octets) {
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &octets, sizeof octets) < 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &octets, sizeof octets);
}

int bluetooth_ask_for_stamps(int descriptor) {
  int on = 1;
  return negative_errno(setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on));
}

ptrdiff_t bluetooth_receive_stamped(int descriptor, void *buffer, size_t room, int64_t *time) {
  struct iovec part = {.iov_base = buffer, .iov_len = room};
  union {
    struct cmsghdr header;
    char octets[CMSG_SPACE(sizeof(struct timeval))];
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.octets, .msg_controllen = sizeof control.octets};
  ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT);
  if (count < 0) return -errno;
  struct timeval stamp;
  gettimeofday(&stamp, NULL);
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMP)
      memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
  }
  *time = (int64_t)stamp.tv_sec * 1000000 + stamp.tv_usec;
  return count;
}

uint32_t bluetooth_lost_datagrams(int descriptor) {
  uint32_t facts[SK_MEMINFO_VARS] = {0};
  socklen_t length = sizeof facts;
  if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, facts, &length) < 0) return 0;
  return length > SK_MEMINFO_DROPS * sizeof facts[0] ? facts[SK_MEMINFO_DROPS] : 0;
}

int bluetooth_open_termination(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  if (sigprocmask(SIG_BLOCK, &signals, NULL) < 0) return -errno;
  return negative_errno(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

int bluetooth_take_signal(int descriptor) {
  struct signalfd_siginfo information;
  if (read(descriptor, &information, sizeof information) != sizeof information) return 0;
  return (int)information.ssi_signo;
}
