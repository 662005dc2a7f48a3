/** Where an image goes that is uploaded into a claim: CDI's upload proxy, with a token for this one claim. */
import type { KubeClient } from '@podvisor/kube';
import { Agent, request } from 'undici';
import { at, textOf } from '../plain.ts';
import { getJson, objectPath, post } from '../requests.ts';
import { podUpload } from './pod-upload.ts';

const CDI = 'cdi.kubevirt.io/v1beta1';
const UPLOADS = 'upload.cdi.kubevirt.io/v1beta1';

export interface ProxyChoice {
  /** Absent: the one that CDI announces. */
  readonly url?: string | undefined;
  /** Its certificate is not checked. */
  readonly insecure?: boolean;
}

export interface UploadProxy {
  /** As the proxy was named. */
  readonly base: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Agent;
}

export async function uploadProxy(
  client: KubeClient,
  namespace: string,
  claim: string,
  { url, insecure = false }: ProxyChoice = {},
  onBase?: (base: string) => void,
): Promise<UploadProxy> {
  const config =
    url === undefined ? at(await getJson(client, `/apis/${CDI}/cdiconfigs/config`), 'status') : undefined;
  const given = url ?? textOf(at(config, 'uploadProxyURL'));
  // Who tells where the proxy is may also tell whom to trust there.
  const ca = textOf(at(config, 'uploadProxyCA'));
  if (given === undefined) {
    const direct = await podUpload(client, namespace, claim);
    if (direct === undefined) throw new Error('uploadproxy URL not found');
    onBase?.(direct.base);
    return direct;
  }
  const base = /^https?:\/\//.test(given) ? given : `https://${given}`;
  onBase?.(base);
  const answer = await post(client, objectPath(UPLOADS, namespace, 'uploadtokenrequests'), {
    kind: 'UploadTokenRequest',
    apiVersion: UPLOADS,
    metadata: { name: claim, namespace },
    spec: { pvcName: claim },
    status: {},
  });
  const dispatcher = new Agent({
    connect: { rejectUnauthorized: !insecure, ...(ca === undefined ? {} : { ca }) },
    bodyTimeout: 0,
    headersTimeout: 0,
  });
  const headers = { authorization: `Bearer ${textOf(at(answer, 'status', 'token')) ?? ''}` };
  const asynchronous = new URL('/v1alpha1/upload-async', base).href;
  const probe = await request(asynchronous, { method: 'HEAD', headers, dispatcher }).catch(() => undefined);
  const target = probe?.statusCode === 200 ? asynchronous : new URL('/v1alpha1/upload', base).href;
  return { base, url: target, headers, dispatcher };
}
