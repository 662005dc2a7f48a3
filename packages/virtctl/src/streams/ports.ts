/** `[protocol/]local[:target]`: what port-forward opens here and reaches there. */

export interface ForwardedPort {
  readonly protocol: 'tcp' | 'udp';
  readonly local: number;
  readonly remote: number;
}

/** Reads one argument; the error says what is wrong with it. */
export function parsePort(text: string): ForwardedPort {
  const [, protocolText, portsText = text] = /^([^/]*)\/(.*)$/.exec(text) ?? [];
  const protocol = protocolText === undefined ? 'tcp' : protocolText.toLowerCase();
  if (protocol !== 'tcp' && protocol !== 'udp')
    throw new Error(`protocol '${protocolText}' is not supported: use tcp or udp`);
  const [localText = '', remoteText = localText, ...more] = portsText.split(':');
  if (more.length > 0) throw new Error(`port '${text}' has more than one ':'`);
  const local = portNumber(localText, text);
  const remote = portNumber(remoteText, text);
  if (remote === 0) throw new Error(`port '${text}' must name a target port`);
  return { protocol, local, remote };
}

function portNumber(text: string, whole: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (number < 0 || number > 65_535) throw new Error(`port '${whole}' is not a number from 0 to 65535`);
  return number;
}
