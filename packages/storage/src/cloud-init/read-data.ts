/** Collects cloud-init contents: inline from the spec, or from the secrets mounted into the Pod. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CloudInitSource, LauncherPaths, VirtualMachineInstance } from '@podvisor/api';
import type { CloudInitData, CloudInitKind } from './data.ts';

/** A Secret is at most 1 MiB; anything larger is not one. */
const MAX_SECRET_BYTES = 1024 * 1024;

/** Reads everything that goes into the ISO. Throws when a referenced secret has no usable key. */
export function readCloudInitData(
  vmi: VirtualMachineInstance,
  kind: CloudInitKind,
  volume: string,
  source: CloudInitSource,
  paths: LauncherPaths,
): CloudInitData {
  const secretDir = paths.cloudInitSecret(volume);
  const userData =
    inline(source.userData, source.userDataBase64) ??
    (source.secretRef === undefined
      ? undefined
      : secret(secretDir, ['userdata', 'userData'], source.secretRef.name ?? volume));
  const networkData =
    inline(source.networkData, source.networkDataBase64) ??
    (source.networkDataSecretRef === undefined
      ? undefined
      : secret(secretDir, ['networkdata', 'networkData'], source.networkDataSecretRef.name ?? volume));
  return {
    // cloud-init ignores a seed without user-data, so an empty one is written.
    userData: userData ?? new Uint8Array(),
    ...(networkData === undefined ? {} : { networkData }),
    sshKeys: sshKeys(vmi, kind, paths),
  };
}

function inline(text: string | undefined, base64: string | undefined): Uint8Array | undefined {
  if (text !== undefined && text !== '') return new TextEncoder().encode(text);
  if (base64 !== undefined && base64 !== '') return Buffer.from(base64, 'base64');
  return undefined;
}

function secret(directory: string, keys: readonly string[], name: string): Uint8Array {
  // Mounting a missing key by subPath leaves an empty directory: only files count.
  const found = keys
    .map((key) => join(directory, key))
    .find((path) => existsSync(path) && statSync(path).isFile());
  if (found === undefined)
    throw new Error(`secret ${name} has neither key ${keys.join(' nor ')}, which cloud-init needs`);
  return bounded(found);
}

function sshKeys(vmi: VirtualMachineInstance, kind: CloudInitKind, paths: LauncherPaths): readonly string[] {
  const keys: string[] = [];
  for (const { sshPublicKey } of vmi.spec.accessCredentials ?? []) {
    const name = sshPublicKey?.source.secret?.secretName;
    if (name === undefined || sshPublicKey?.propagationMethod[kind] === undefined) continue;
    const directory = paths.accessCredential(name);
    // `..data` and its like are how the kubelet swaps versions of a secret.
    for (const file of readdirSync(directory)
      .filter((f) => !f.startsWith('..'))
      .toSorted())
      keys.push(...lines(bounded(join(directory, file))));
  }
  return keys;
}

function lines(content: Uint8Array): string[] {
  return new TextDecoder()
    .decode(content)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function bounded(path: string): Uint8Array {
  if (statSync(path).size > MAX_SECRET_BYTES)
    throw new Error(`${path} is larger than ${MAX_SECRET_BYTES} bytes`);
  return readFileSync(path);
}
