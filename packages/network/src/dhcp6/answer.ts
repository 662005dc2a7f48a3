/** One guest, one IPv6 address: what the DHCPv6 server says (RFC 8415, 18.3). Pure. */
import type { Dhcp6Config } from '@podvisor/api';
import { ipv6Bytes, ipv6FromBytes, macBytes } from '../address.ts';
import { LEASE_SECONDS } from '../dhcp/options.ts';
import { domainName, domainNames } from '../domain-names.ts';
import { decodeOptions6, encodeOptions6, MESSAGE6, type Message6, type Option6, OPTION6 } from './codec.ts';

const STATUS = { success: 0, noAddresses: 2, notOnLink: 4 } as const;
const MAX_SEARCH_BYTES = 512;
/** Former addresses that one answer takes back. */
const MAX_WITHDRAWN = 4;
const MAX_DUID_BYTES = 130;

/** True for an answer that gives the guest its address for use; an offer does not. */
export function isLease6(request: Message6, answer: Message6): boolean {
  const asks: readonly number[] = [MESSAGE6.solicit, MESSAGE6.request, MESSAGE6.renew, MESSAGE6.rebind];
  return answer.type === MESSAGE6.reply && asks.includes(request.type);
}

/** The answer, or undefined for silence. */
export function answerMessage6(request: Message6, config: Dhcp6Config): Message6 | undefined {
  const client = optionOf(request, OPTION6.clientId);
  const server = optionOf(request, OPTION6.serverId);
  if (client !== undefined && (client.length === 0 || client.length > MAX_DUID_BYTES)) return undefined;
  const isForUs = server !== undefined && Buffer.from(server).equals(serverDuid(config));
  const reply = (type: number, options: readonly Option6[]): Message6 => ({
    type,
    transactionId: request.transactionId,
    options: [
      ...(client === undefined ? [] : [{ code: OPTION6.clientId, value: client }]),
      { code: OPTION6.serverId, value: serverDuid(config) },
      ...options,
    ],
  });
  if (request.type === MESSAGE6.informationRequest)
    return server === undefined || isForUs ? reply(MESSAGE6.reply, facts(request, config)) : undefined;
  if (client === undefined) return undefined;
  const lease = (): readonly Option6[] => [...associations(request, config), ...facts(request, config)];
  switch (request.type) {
    case MESSAGE6.solicit: {
      if (server !== undefined) return undefined;
      const isRapid = optionOf(request, OPTION6.rapidCommit) !== undefined;
      return isRapid
        ? reply(MESSAGE6.reply, [{ code: OPTION6.rapidCommit, value: new Uint8Array() }, ...lease()])
        : reply(MESSAGE6.advertise, lease());
    }
    case MESSAGE6.rebind:
      return server === undefined ? reply(MESSAGE6.reply, lease()) : undefined;
    case MESSAGE6.request:
    case MESSAGE6.renew:
      return isForUs ? reply(MESSAGE6.reply, lease()) : undefined;
    case MESSAGE6.confirm:
      return server === undefined ? confirm(request, config, reply) : undefined;
    case MESSAGE6.release:
    case MESSAGE6.decline:
      // Noted with thanks: the address belongs to this guest and to nobody else.
      return isForUs ? reply(MESSAGE6.reply, [status(STATUS.success)]) : undefined;
    default:
      return undefined;
  }
}

function confirm(
  request: Message6,
  config: Dhcp6Config,
  reply: (type: number, options: readonly Option6[]) => Message6,
): Message6 | undefined {
  const held = associationsOf(request).flatMap(heldAddresses);
  if (held.length === 0) return undefined;
  const isRight = held.every((address) => address === config.clientAddress);
  return reply(MESSAGE6.reply, [status(isRight ? STATUS.success : STATUS.notOnLink)]);
}

/** The first association gets the address; others are told that there is none. */
function associations(request: Message6, config: Dhcp6Config): readonly Option6[] {
  return associationsOf(request).map((value, index) => {
    const inner =
      index > 0
        ? [status(STATUS.noAddresses)]
        : [
            address(config.clientAddress, LEASE_SECONDS),
            ...heldAddresses(value)
              .filter((held) => held !== config.clientAddress)
              .slice(0, MAX_WITHDRAWN)
              .map((held) => address(held, 0)),
          ];
    // T1 and T2 zero: when to renew is the client's choice.
    const body = Buffer.concat([value.subarray(0, 4), new Uint8Array(8), encodeOptions6(inner)]);
    return { code: OPTION6.identityAssociation, value: body };
  });
}

/** Values of the associations for lasting addresses: an id, two times, options. */
function associationsOf(request: Message6): readonly Uint8Array[] {
  return request.options
    .filter(({ code, value }) => code === OPTION6.identityAssociation && value.length >= 12)
    .map(({ value }) => value)
    .slice(0, 4);
}

function heldAddresses(association: Uint8Array): readonly string[] {
  return decodeOptions6(association.subarray(12))
    .filter(({ code, value }) => code === OPTION6.address && value.length >= 24)
    .map(({ value }) => ipv6FromBytes(value.subarray(0, 16)));
}

/** Built once a configuration: whatever the guest asks, this part of the answer is the same. */
const built = new WeakMap<Dhcp6Config, readonly Option6[]>();

function dnsFacts(config: Dhcp6Config): readonly Option6[] {
  const known = built.get(config);
  if (known !== undefined) return known;
  const servers = config.dnsServers.flatMap((server) => [...ipv6Bytes(server)]);
  const search = domainNames(config.searchDomains, MAX_SEARCH_BYTES);
  const options = [
    ...(servers.length === 0 ? [] : [{ code: OPTION6.dnsServers, value: Uint8Array.from(servers) }]),
    ...(search.length === 0 ? [] : [{ code: OPTION6.domainSearch, value: Uint8Array.from(search) }]),
  ];
  built.set(config, options);
  return options;
}

function facts(request: Message6, config: Dhcp6Config): readonly Option6[] {
  const host = wants(request, OPTION6.fqdn) ? domainName(config.hostname) : undefined;
  return [
    ...dnsFacts(config),
    // RFC 4704, 4.1: nobody updates DNS (N); a name without the final zero is not fully qualified.
    ...(host === undefined
      ? []
      : [{ code: OPTION6.fqdn, value: Uint8Array.from([0x04, ...host.slice(0, -1)]) }]),
  ];
}

/** The client asked for the option, or sent it itself. */
function wants(request: Message6, code: number): boolean {
  const list = optionOf(request, OPTION6.requested) ?? new Uint8Array();
  const codes = Array.from(
    { length: list.length >> 1 },
    (_, i) => ((list[i * 2] ?? 0) << 8) | (list[i * 2 + 1] ?? 0),
  );
  return codes.includes(code) || optionOf(request, code) !== undefined;
}

function address(text: string, seconds: number): Option6 {
  const value = Buffer.alloc(24);
  value.set(ipv6Bytes(text));
  value.writeUInt32BE(seconds, 16);
  value.writeUInt32BE(seconds, 20);
  return { code: OPTION6.address, value };
}

function status(code: number): Option6 {
  return { code: OPTION6.status, value: Uint8Array.of(code >> 8, code & 0xff) };
}

/** DUID-LL (RFC 8415, 11.4) of the gateway, which is the same wherever the guest moves. */
export function serverDuid({ serverMac }: Dhcp6Config): Uint8Array {
  return Uint8Array.of(0, 3, 0, 1, ...macBytes(serverMac));
}

function optionOf(message: Message6, wanted: number): Uint8Array | undefined {
  return message.options.find(({ code }) => code === wanted)?.value;
}
