/** `virtctl ui`: the web page of the cluster, in a browser on this machine, with the rights of this kubeconfig. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { startProcess } from '@podvisor/sys';
import type { Command } from 'commander';
import { openSession } from '../kube-access.ts';
import { say, type Shell, tell } from '../shell.ts';
import type { EmbeddedFacts } from '../ui/cluster-facts.ts';
import { makeRedirectPage } from '../ui/redirect-page.ts';
import { pageFiles } from '../ui/files.ts';
import { listenOnLoopback } from '../ui/listen-on-loopback.ts';
import { LocalAccess } from '../ui/local-access.ts';
import { PageServer } from '../ui/serve.ts';

export interface UiFlags {
  readonly port: string;
  readonly open: boolean;
}

/** Adds the command `ui`; `open` gives the access that its flags describe, `home` what an embedded home knows of itself. */
export function addUiCommand(program: Command, shell: Shell, open = openSession, home?: EmbeddedFacts): void {
  program
    .command('ui')
    .description('Open the web page: VMs, their way, consoles and screens. Ctrl+C ends it.')
    .option('--port <port>', 'port on the loopback of this machine; 0 takes a free one', '0')
    .option('--no-open', 'only print the address')
    .action(async (flags: UiFlags, self: Command) => {
      const port = Number(flags.port);
      if (!Number.isInteger(port) || port < 0 || port > 65535)
        throw new Error(`--port must be a number from 0 to 65535, not "${flags.port}"`);
      const { client, namespace } = open(self, shell);
      const interrupted = shell.interrupted();
      const access = new LocalAccess(client, namespace);
      const page = new PageServer({ access, files: builtPage(), now: () => shell.now(), home });
      try {
        const servers = [page.serve(createServer()), page.serve(createServer())] as const;
        const address = access.address(await listenOnLoopback(servers, port));
        say(shell, address);
        tell(shell, 'The address opens the page once, in one browser. Ctrl+C ends it.');
        using _page = flags.open ? openBrowser(address, shell) : undefined;
        if (!interrupted.aborted) await once(interrupted, 'abort');
      } finally {
        await page[Symbol.asyncDispose]();
        await client.close();
      }
    });
}

/** Beside the programs, where the build puts it. */
function builtPage(): ReturnType<typeof pageFiles> {
  const directory = join(import.meta.dirname, 'console');
  try {
    return pageFiles(directory);
  } catch (error) {
    throw new Error(`the page is not in ${directory}: build it with ./podvisor`, { cause: error });
  }
}

/** Where there is a desktop; without one the address is enough. */
function openBrowser(address: string, shell: Shell): Disposable | undefined {
  const { DISPLAY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR } = shell.env;
  if (DISPLAY === undefined && WAYLAND_DISPLAY === undefined) return undefined;
  const page = makeRedirectPage(address, XDG_RUNTIME_DIR);
  void startProcess('xdg-open', [page.url]).catch(() => tell(shell, 'No browser could be opened.'));
  return page;
}
