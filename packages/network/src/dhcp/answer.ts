/** The lease logic: one guest, one address. Pure. */
import type { DhcpConfig } from '@podvisor/api';
import { ipv4Text } from '../address.ts';
import { type DhcpPacket, MESSAGE_TYPE } from './codec.ts';
import { configOptions, LEASE_SECONDS, OPTION, uint32 } from './options.ts';

/** What the server says to this packet, or undefined for silence. Only the guest's own NIC is answered. */
export function answerPacket(
  request: DhcpPacket,
  config: DhcpConfig,
  guestMac: string,
): DhcpPacket | undefined {
  if (request.op !== 1 || request.mac !== guestMac.toLowerCase()) return undefined;
  const type = request.options.get(OPTION.messageType)?.[0];
  switch (type) {
    case MESSAGE_TYPE.discover:
      return reply(request, config, MESSAGE_TYPE.offer);
    case MESSAGE_TYPE.request:
      return answerRequest(request, config);
    case MESSAGE_TYPE.inform:
      return reply(request, config, MESSAGE_TYPE.ack);
    default:
      // A decline or release changes nothing: the address belongs to this guest and to nobody else.
      return undefined;
  }
}

/** True when the answer gives the address for use: not only offered, and not only told about. */
export function isLease({ options, yourAddress }: DhcpPacket): boolean {
  return options.get(OPTION.messageType)?.[0] === MESSAGE_TYPE.ack && yourAddress !== '0.0.0.0';
}

function answerRequest(request: DhcpPacket, config: DhcpConfig): DhcpPacket | undefined {
  const chosen = addressOption(request, OPTION.serverId);
  if (chosen !== undefined && chosen !== config.serverAddress) return undefined;
  const asked = addressOption(request, OPTION.requestedAddress) ?? request.clientAddress;
  const isOurs = asked === clientAddress(config);
  return isOurs ? reply(request, config, MESSAGE_TYPE.ack) : refusal(request, config);
}

function reply(request: DhcpPacket, config: DhcpConfig, type: number): DhcpPacket {
  const isInform = request.options.get(OPTION.messageType)?.[0] === MESSAGE_TYPE.inform;
  return {
    ...answerHeader(request, config),
    // RFC 2131, 4.3.5: an answer to INFORM gives no address and no lease.
    yourAddress: isInform ? '0.0.0.0' : clientAddress(config),
    options: new Map([
      [OPTION.messageType, Uint8Array.of(type)],
      [OPTION.serverId, serverId(config)],
      ...(isInform ? [] : [[OPTION.leaseTime, uint32(LEASE_SECONDS)] as const]),
      ...configOptions(config),
    ]),
  };
}

function refusal(request: DhcpPacket, config: DhcpConfig): DhcpPacket {
  return {
    ...answerHeader(request, config),
    broadcast: true,
    clientAddress: '0.0.0.0',
    yourAddress: '0.0.0.0',
    options: new Map([
      [OPTION.messageType, Uint8Array.of(MESSAGE_TYPE.nak)],
      [OPTION.serverId, serverId(config)],
    ]),
  };
}

function answerHeader(request: DhcpPacket, config: DhcpConfig): Omit<DhcpPacket, 'options' | 'yourAddress'> {
  return {
    op: 2,
    transactionId: request.transactionId,
    seconds: 0,
    broadcast: request.broadcast,
    clientAddress: request.clientAddress,
    serverAddress: config.serverAddress,
    relayAddress: request.relayAddress,
    mac: request.mac,
  };
}

function serverId(config: DhcpConfig): Uint8Array {
  return Uint8Array.from(config.serverAddress.split('.').map(Number));
}

function clientAddress(config: DhcpConfig): string {
  return config.clientCidr.split('/')[0] ?? '';
}

function addressOption(packet: DhcpPacket, code: number): string | undefined {
  const value = packet.options.get(code);
  if (value?.length !== 4) return undefined;
  return ipv4Text(new DataView(value.buffer, value.byteOffset, 4).getUint32(0));
}
