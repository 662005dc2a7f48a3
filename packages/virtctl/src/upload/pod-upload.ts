/**
 * Uploads where nobody announces a proxy (DataVolumes of ours on a cluster): through the API server to the Pod that
 * fills the claim, with the rights of whoever uploads (`pods/portforward`). Nothing listens outside of that Pod.
 */
import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { annotations } from '@podvisor/api';
import type { KubeClient } from '@podvisor/kube';
import { Agent, buildConnector, request } from 'undici';
import { at, textOf } from '../plain.ts';
import { findJson, objectPath } from '../requests.ts';
import { dialPodPort } from '../streams/pod-port.ts';
import type { UploadProxy } from './proxy.ts';

/** Its Pod runs before its program listens, and the bytes of an image are sent only once: a question goes first. */
const TRIES = 60;
const PAUSE_MS = 250;
/** The name says nothing: every connection is one to the Pod. */
const URL_IN_POD = 'http://upload/v1beta1/upload';

/** Undefined when no Pod of ours takes an upload into the claim. */
export async function podUpload(
  client: KubeClient,
  namespace: string,
  claim: string,
): Promise<UploadProxy | undefined> {
  const found = await findJson(client, objectPath('v1', namespace, 'persistentvolumeclaims', claim));
  const name = textOf(at(found, 'metadata', 'annotations', 'cdi.kubevirt.io/storage.uploadPodName'));
  if (name === undefined) return undefined;
  const path = objectPath('v1', namespace, 'pods', name);
  const pod = await findJson(client, path);
  const port = Number(textOf(at(pod, 'metadata', 'annotations', annotations.uploadPort)));
  if (!(port > 0)) return undefined;
  const dispatcher = new Agent({ connect: connector(client, path, port), bodyTimeout: 0, headersTimeout: 0 });
  await untilItListens(dispatcher);
  return { base: `Pod ${name}, through the API server`, url: URL_IN_POD, headers: {}, dispatcher };
}

function connector(client: KubeClient, path: string, port: number): buildConnector.connector {
  const dial = callbackify(() => dialPodPort(client, path, port));
  return (_options, done) =>
    dial((error, stream) => {
      if (error !== null) done(error, null);
      // undici asks of a socket what every stream has.
      else done(null, stream as unknown as Socket);
    });
}

async function untilItListens(dispatcher: Agent): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await (await request(URL_IN_POD, { method: 'HEAD', dispatcher })).body.dump();
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
