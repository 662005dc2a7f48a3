/** An upload of a file of this computer into a new claim. Pure. */
import type { DataVolume } from '@podvisor/api';
import type { ApiRequest } from '../live/requests.ts';
import { bytesText, secondsText } from './units.ts';
import { uploadText } from '../texts/storage.ts';
import { unitsText } from '../texts/usage.ts';

export interface UploadForm {
  readonly namespace: string;
  readonly name: string;
  readonly size: string;
}

const GROUP = 'cdi.kubevirt.io/v1beta1';

export function uploadRequest({ namespace, name, size }: UploadForm): ApiRequest {
  return {
    method: 'POST',
    path: `/apis/${GROUP}/namespaces/${encodeURIComponent(namespace)}/datavolumes`,
    body: JSON.stringify({
      apiVersion: GROUP,
      kind: 'DataVolume',
      metadata: {
        namespace,
        name,
        annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' },
      },
      spec: { source: { upload: {} }, storage: { resources: { requests: { storage: size } } } },
    }),
  };
}

export function dataVolumePath({ namespace, name }: UploadForm): string {
  return `/apis/${GROUP}/namespaces/${encodeURIComponent(namespace)}/datavolumes/${encodeURIComponent(name)}`;
}

export function uploadCommand({ namespace, name, size }: UploadForm, file: string): string {
  const quoted = `'${file.replaceAll("'", `'\\''`)}'`;
  return `virtctl image-upload dv ${name} -n ${namespace} --size ${size} --force-bind --image-path ${quoted}`;
}

/** The parts of a file by which it is told from another one. */
export interface FileFacts {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
}

/**
 * Names the content of a file for the other end, so that an upload goes on with the same file only:
 * also after the page was loaded anew, when the user chooses it again.
 */
export function contentVersion({ name, size, lastModified }: FileFacts): string {
  let hash = 0;
  for (const letter of name) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `${size}:${lastModified}:${hash.toString(16)}`;
}

/** DataVolumes that wait for their file, or for the rest of it. */
export function waitingUploads(dataVolumes: ReadonlyMap<string, DataVolume>): readonly UploadForm[] {
  return [...dataVolumes.values()]
    .filter(({ status }) => /^Upload(Ready|Scheduled)$/.test(status?.phase ?? ''))
    .map(({ metadata, spec }) => ({
      namespace: metadata?.namespace ?? '',
      name: metadata?.name ?? '',
      size: String((spec.storage ?? spec.pvc)?.resources?.requests?.['storage'] ?? ''),
    }));
}

/** `1.2 GiB of 2.0 GiB, 80 MiB/s, about 10 s to go`; `before`: what an earlier try had sent. */
export function uploadWords(sent: number, total: number, sinceMs: number, before = 0): string {
  const rate = sinceMs > 0 ? ((sent - before) / sinceMs) * 1000 : 0;
  const progress = uploadText.progress(bytesText(sent), bytesText(total));
  if (rate <= 0) return progress;
  const left = secondsText(((total - sent) / rate) * 1000);
  return [progress, unitsText.perSecond(bytesText(rate)), unitsText.toGo(left)].join(', ');
}
