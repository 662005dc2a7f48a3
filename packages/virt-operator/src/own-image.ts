/** The image that this very Pod runs: whoever changes it in the manifest changes all others with it. */
import { type KubeClient, resources } from '@podvisor/kube';
import { type OperatorImage, parseOperatorImage } from './install/settings-of.ts';

export async function ownImage(
  client: Pick<KubeClient, 'get'>,
  namespace: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<OperatorImage> {
  const name = env['POD_NAME'];
  if (name === undefined)
    throw new Error(
      'POD_NAME is not set, so our own image is not known: pass --image REGISTRY/virt-operator:TAG',
    );
  const pod = await client.get(resources.pods, { namespace, name });
  const container = pod.spec.containers.find((entry) => entry.name === 'virt-operator');
  return parseOperatorImage(container?.image ?? '');
}
