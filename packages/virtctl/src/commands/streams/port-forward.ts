/** port-forward: local ports, or standard input and output, that reach a port of a guest. */
import type { Command } from 'commander';
import { openSession, type Session } from '../../kube-access.ts';
import type { Shell } from '../../shell.ts';
import { requireGuest } from '../../streams/absent-guest.ts';
import { type OpenTunnel, startForwarding } from '../../streams/forward.ts';
import { type ForwardedPort, parsePort } from '../../streams/ports.ts';
import { relayStandard } from '../../streams/relay.ts';
import { subresourcePath } from '../../subresource-path.ts';
import { parseTarget, type Target } from '../../target.ts';
import { unreachable } from '../../streams/unreachable.ts';

interface PortForwardFlags {
  readonly stdio: boolean;
  readonly address: string;
  readonly vsock: boolean;
  readonly vsockTls: boolean;
}

export function addPortForwardCommand(program: Command, shell: Shell): void {
  program
    .command('port-forward <target> <ports...>')
    .description('Forward local ports to a guest: type/name[/namespace] [protocol/]local[:target]…')
    .option('--stdio', 'forward standard input and output instead of a port; only one port then', false)
    .option('--address <address>', 'local address to listen on', '127.0.0.1')
    .option('--vsock', "connect to the guest's VSOCK port", false)
    .option('--vsock-tls', 'VSOCK with TLS', true)
    .option('--no-vsock-tls', 'VSOCK without TLS')
    .action(
      async (targetText: string, portTexts: readonly string[], flags: PortForwardFlags, self: Command) => {
        const session = openSession(self, shell);
        const target = parseTarget(targetText);
        const ports = portTexts.map(parsePort);
        const open = tunnelTo(session, target, flags);
        const [first] = ports;
        if (flags.stdio) {
          if (first === undefined || ports.length !== 1)
            throw new Error('only one port supported when forwarding to stdout');
          await relayStandard(await open(first), shell.stdin, shell.stdout);
          return;
        }
        if (flags.vsock && ports.some((port) => port.protocol === 'udp'))
          throw new Error('only tcp is supported over VSOCK');
        await requireGuest(session.client, { namespace: session.namespace, ...target });
        const interrupted = shell.interrupted();
        const stops = await Promise.all(
          ports.map((port) => startForwarding(flags.address, port, open, shell)),
        );
        await new Promise<void>((resolve) => {
          interrupted.addEventListener('abort', () => resolve(), { once: true });
          if (interrupted.aborted) resolve();
        });
        for (const stop of stops) stop();
      },
    );
}

/** How to reach a port of the target; each call opens one tunnel. */
function tunnelTo(
  { client, namespace }: Session,
  target: Target,
  { vsock, vsockTls }: { readonly vsock: boolean; readonly vsockTls: boolean },
): OpenTunnel {
  const where = target.namespace ?? namespace;
  const told = (error: unknown): never => {
    throw unreachable(error, target);
  };
  const protocols = ['plain.kubevirt.io'];
  return (port: ForwardedPort) => {
    if (vsock) {
      const path = subresourcePath('virtualmachineinstances', where, target.name, 'vsock');
      return client.dial(path, { protocols, query: { port: port.remote, tls: vsockTls } }).catch(told);
    }
    const kind = target.kind === 'vm' ? 'virtualmachines' : 'virtualmachineinstances';
    const path = subresourcePath(kind, where, target.name, `portforward/${port.remote}/${port.protocol}`);
    return client.dial(path, { protocols }).catch(told);
  };
}
