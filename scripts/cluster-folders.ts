/**
 * Keeps the parts of the embedded home apart, so that each could be a package of its own: which folder of
 * packages/cluster may import which. Files at the top of the package are the home that joins them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // Shared, and importing nothing.
  cron: [],
  files: [],
  informers: [],
  'home-components': [],
  'node-listener': [],
  // The API server.
  store: [],
  apiserver: ['store', 'node-listener', 'cron'],
  // What decides.
  scheduler: ['informers'],
  controllers: ['home-components', 'informers', 'node-listener', 'cron', 'scheduler', 'services'],
  'data-volumes': [
    'controllers',
    'informers',
    'files',
    'node-listener',
    'pki-bootstrap',
    'bootstrap-objects',
  ],
  dns: ['informers', 'services'],
  // What does, as root.
  services: ['informers'],
  addresses: ['informers'],
  'certificate-signing': [],
  policies: ['informers', 'services'],
  'local-volumes': ['files', 'node-listener'],
  kubelet: ['files', 'home-components', 'node-listener', 'services', 'addresses'],
  nodes: ['kubelet', 'node-listener'],
  commands: ['kubelet', 'services'],
  // What a home begins with.
  'pki-bootstrap': ['services'],
  'bootstrap-objects': ['pki-bootstrap'],
};

/** Against the direction, each with its reason. An entry that nobody needs is a problem too. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'store/store.ts -> apiserver/wire/json.ts': 'the type of a stored object',
  'store/types.ts -> apiserver/wire/json.ts': 'the type of a stored object',
  'store/encryption/configuration.ts -> apiserver/wire/json.ts': 'reads a Kubernetes document',
  'store/encryption/configuration.ts -> apiserver/wire/yaml.ts': 'reads a Kubernetes document',
  'services/machine.ts -> policies/ruleset.ts': 'removes the tables of both',
  'controllers/start.ts -> data-volumes/controller.ts': 'starts every controller',
  'controllers/start.ts -> data-volumes/profile-controller.ts': 'starts every controller',
  'bootstrap-objects/bootstrap-objects.ts -> controllers/served-resources.ts': 'the name of an annotation',
};

/** Sentences about what is wrong; none when all is well. */
export function folderProblems(source: string): readonly string[] {
  const unused = new Set(Object.keys(EXCEPTIONS));
  const problems: string[] = [];
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(source.length + 1);
    const folder = folderOf(path);
    if (!entry.isFile() || folder === undefined || !isProduct(path)) continue;
    const allowed = MAY_IMPORT[folder];
    if (allowed === undefined) {
      problems.push(`cluster/src/${folder}: is not in the table of scripts/cluster-folders.ts`);
      continue;
    }
    for (const [, target = ''] of readFileSync(join(source, path), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const imported = normalize(join(path, '..', target));
      const other = folderOf(imported);
      if (other === folder || (other !== undefined && allowed.includes(other))) continue;
      const edge = `${path} -> ${imported}`;
      if (EXCEPTIONS[edge] === undefined)
        problems.push(`cluster/src/${edge}: ${folder} may not import ${other ?? 'the home itself'}`);
      unused.delete(edge);
    }
  }
  return [...problems, ...[...unused].map((edge) => `${edge}: the exception is not needed any more`)];
}

function isProduct(path: string): boolean {
  return path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/testing/');
}

function folderOf(path: string): string | undefined {
  return path.includes('/') ? path.split('/')[0] : undefined;
}
