/** virt-ui: the web page of a cluster, over TLS. It has no rights, keeps no token and writes no request to its log. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { followServingCertificate, readServingCertificate, runComponent, stderrLog } from '@podvisor/kube';
import { filesByPath } from '../files.ts';
import { PageServer } from '../serve.ts';
import { parseFlags } from './flags.ts';
import { TokenAccess } from './token-access.ts';

/** Beside the program, where the build puts it: names and contents of the page's files. */
const PAGE = 'virt-ui.page.mjs';

await runComponent('virt-ui', { ...stderrLog, fatal: stderrLog.error }, async (stop) => {
  const { listen, tlsDir, apiServer, apiServerCa } = parseFlags(process.argv.slice(2), process.env);
  const access = new TokenAccess({ server: apiServer, ca: readFileSync(apiServerCa, 'utf8') }, Date.now);
  await using page = new PageServer({ access, files: await builtPage(), now: Date.now });
  const server = page.serve(createServer({ ...readServingCertificate(tlsDir), minVersion: 'TLSv1.2' }));
  using _ = followServingCertificate(server, tlsDir, stderrLog);
  server.listen(listen.port, listen.host);
  await once(server, 'listening');
  stderrLog.info({ ...listen, apiServer }, 'listening');
  if (!stop.aborted) await once(stop, 'abort');
});

async function builtPage(): Promise<ReturnType<typeof filesByPath>> {
  const { default: contents } = (await import(join(import.meta.dirname, PAGE))) as {
    readonly default: readonly (readonly [name: string, base64: string])[];
  };
  return filesByPath(contents.map(([name, base64]) => [name, Buffer.from(base64, 'base64')]));
}
