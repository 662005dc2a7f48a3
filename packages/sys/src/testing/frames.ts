/** Frames as a guest or Pod of bad will makes them by itself. Pure. */
import { ipFamily } from '@podvisor/base';
import {
  checksum,
  ethernetFrame,
  type FrameHeader,
  ipBytes,
  type IpMessage,
  ipv6Frame,
  summedMessage,
} from '../network/ip-frame.ts';

const ETH_P_IP = 0x0800;
const [UDP, ICMPV6] = [17, 58];
const ROUTER_SOLICITATION = 133;
const ALL_ROUTERS = { to: 'ff02::2', toMac: '33:33:00:00:00:02' };

export interface Datagram {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly text: string;
}

/** One UDP datagram, of the family of its addresses. */
export function udpFrame(header: FrameHeader, { from, to, port, text }: Datagram): Uint8Array {
  const start = Buffer.alloc(8);
  start.writeUInt16BE(5000, 0);
  start.writeUInt16BE(port, 2);
  start.writeUInt16BE(start.length + Buffer.byteLength(text), 4);
  const message = Buffer.concat([start, Buffer.from(text)]);
  const ip = { from, to, protocol: UDP, hopLimit: 64, message, checksumAt: 6 };
  return ipFamily(from) === 6 ? ipv6Frame(header, ip) : ipv4Frame(header, ip);
}

/** The question of a NIC for its router (RFC 4861, 4.1). */
export function routerSolicitation(fromMac: string, from: string): Uint8Array {
  const message = Uint8Array.of(ROUTER_SOLICITATION, 0, 0, 0, 0, 0, 0, 0);
  const ip = { from, to: ALL_ROUTERS.to, protocol: ICMPV6, hopLimit: 255, message, checksumAt: 2 };
  return ipv6Frame({ fromMac, toMac: ALL_ROUTERS.toMac }, ip);
}

function ipv4Frame(header: FrameHeader, ip: IpMessage): Uint8Array {
  const start = Buffer.from([0x45, 0, 0, 0, 0, 1, 0, 0, ip.hopLimit, ip.protocol, 0, 0]);
  const head = Buffer.concat([start, ipBytes(ip.from), ipBytes(ip.to)]);
  head.writeUInt16BE(head.length + ip.message.length, 2);
  head.writeUInt16BE(checksum(head), 10);
  return ethernetFrame(header, ETH_P_IP, Buffer.concat([head, summedMessage(ip)]));
}
