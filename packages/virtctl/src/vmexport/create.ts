/** VirtualMachineExports and the secret that opens them. */
import { randomBytes } from 'node:crypto';
import type { Session } from '../kube-access.ts';
import { at, textOf } from '../plain.ts';
import { deleteObject, findJson, isNotFound, objectPath, post } from '../requests.ts';
import { say, type Shell } from '../shell.ts';

const EXPORT_API = 'export.kubevirt.io/v1';

export interface ExportSource {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

export interface NewExport {
  readonly name: string;
  readonly source: ExportSource;
  /** A duration in Kubernetes' words, e.g. `2h`. */
  readonly ttl?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export const exportPath = (namespace: string, name?: string): string =>
  objectPath(EXPORT_API, namespace, 'virtualmachineexports', name);

/** Creates the export, then the secret with its token, owned by it. */
export async function createExport(
  { client, namespace }: Session,
  shell: Shell,
  wanted: NewExport,
): Promise<void> {
  const { name, source, ttl, labels, annotations } = wanted;
  if ((await findJson(client, exportPath(namespace, name))) !== undefined)
    throw new Error(`VirtualMachineExport '${namespace}/${name}' already exists`);
  const tokenSecretRef = `secret-${name}`;
  const created = await post(client, exportPath(namespace), {
    kind: 'VirtualMachineExport',
    apiVersion: EXPORT_API,
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: { source, tokenSecretRef, ...(ttl === undefined ? {} : { ttlDuration: ttl }) },
  });
  await post(client, objectPath('v1', namespace, 'secrets'), {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: {
      name: tokenSecretRef,
      namespace,
      ownerReferences: [
        {
          apiVersion: EXPORT_API,
          kind: 'VirtualMachineExport',
          name,
          uid: textOf(at(created, 'metadata', 'uid')) ?? '',
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
    },
    type: 'Opaque',
    data: { token: Buffer.from(randomBytes(15).toString('base64url')).toString('base64') },
  });
  say(shell, `VirtualMachineExport '${namespace}/${name}' created successfully`);
}

export async function deleteExport(
  { client, namespace }: Session,
  shell: Shell,
  name: string,
): Promise<void> {
  try {
    await deleteObject(client, exportPath(namespace, name), EXPORT_API);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    say(shell, `VirtualMachineExport '${namespace}/${name}' does not exist`);
    return;
  }
  say(shell, `VirtualMachineExport '${namespace}/${name}' deleted successfully`);
}
