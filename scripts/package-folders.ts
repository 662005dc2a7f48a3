/**
 * Which folder of a package may import which, where a package has several parts. Files at the top of a package join
 * its folders and may import all of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

type Directions = Readonly<Record<string, readonly string[]>>;

const MAY_IMPORT: Readonly<Record<string, Directions>> = {
  'home-contract': {
    'home-components': [],
    'node-listener': [],
  },
  'service-network': {
    services: [],
    addresses: [],
    dns: ['services'],
    policies: ['services'],
  },
  cluster: {
    // What a home begins with.
    'pki-bootstrap': [],
    'bootstrap-objects': ['pki-bootstrap'],
    // What it runs beside Kubernetes.
    'data-volumes': ['pki-bootstrap'],
    'certificate-signing': [],
    'local-volumes': [],
    nodes: [],
    commands: [],
    // Tests of the control plane as a whole.
    'small-cluster': [],
  },
};

/** Sentences about what is wrong; none when all is well. */
export function folderProblems(packages: string): readonly string[] {
  return Object.entries(MAY_IMPORT).flatMap(([name, directions]) =>
    problemsOf(name, directions, join(packages, name, 'src')),
  );
}

function problemsOf(name: string, directions: Directions, source: string): string[] {
  const problems: string[] = [];
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(source.length + 1);
    const folder = folderOf(path);
    if (!entry.isFile() || folder === undefined || !isProduct(path)) continue;
    const allowed = directions[folder];
    if (allowed === undefined) {
      problems.push(`${name}/src/${folder}: is not in the table of scripts/package-folders.ts`);
      continue;
    }
    for (const [, target = ''] of readFileSync(join(source, path), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const other = folderOf(normalize(join(path, '..', target)));
      if (other === folder || (other !== undefined && allowed.includes(other))) continue;
      problems.push(`${name}/src/${path}: ${folder} may not import ${other ?? 'the top of its package'}`);
    }
  }
  return problems;
}

function isProduct(path: string): boolean {
  return path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/testing/');
}

function folderOf(path: string): string | undefined {
  return path.includes('/') ? path.split('/')[0] : undefined;
}
