/** An upload of a file of this computer into a new claim. Pure. */
import type { ApiRequest } from '../live/requests.ts';
import { bytesText, secondsText } from './units.ts';

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

/** `1.2 GiB of 2.0 GiB, 80 MiB/s, about 10 s to go` */
export function uploadWords(sent: number, total: number, sinceMs: number): string {
  const rate = sinceMs > 0 ? (sent / sinceMs) * 1000 : 0;
  const left =
    rate > 0 ? `, ${bytesText(rate)}/s, about ${secondsText(((total - sent) / rate) * 1000)} to go` : '';
  return `${bytesText(sent)} of ${bytesText(total)}${left}`;
}
