/**
 * virt-export: serves the volumes of a VirtualMachineExport. Runs in a Pod of its own, without rights.
 *
 *   virt-export --config DIR --token FILE --listen PORT
 *
 * DIR has `config.json` ({volumes, manifests, backups?}), `tls.crt` and `tls.key`.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ExportServerOptions, exportHandler } from './export-server/server.ts';

const { values } = parseArgs({
  options: { config: { type: 'string' }, token: { type: 'string' }, listen: { type: 'string' } },
});
const { config = '/etc/virt-export', token = '/etc/virt-export-token/token', listen = '8443' } = values;
const read = (name: string): string => readFileSync(join(config, name), 'utf8');
const served = JSON.parse(read('config.json')) as Pick<
  ExportServerOptions,
  'volumes' | 'manifests' | 'backups'
>;
const handler = exportHandler({ ...served, token: () => readFileSync(token, 'utf8').trim() });
const server = createServer({ cert: read('tls.crt'), key: read('tls.key') }, handler);
server.listen(Number(listen), () => console.log(JSON.stringify({ msg: 'export is served', port: listen })));
process.on('SIGTERM', () => process.exit(0));
