/** Writes the manifests in deploy/ from the list of @podvisor/virt-operator. `--check` fails when they are not up to date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployFiles } from '../packages/virtctl/src/podvisor/cluster/deploy-files.ts';

const directory = join(import.meta.dirname, '../deploy');
const isCheck = process.argv.includes('--check');
mkdirSync(directory, { recursive: true });
for (const [name, text] of deployFiles()) {
  const path = join(directory, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (isCheck) {
    console.error(`deploy/${name} is not up to date: run node scripts/generate-deploy.ts`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.log(`wrote deploy/${name}`);
  }
}
