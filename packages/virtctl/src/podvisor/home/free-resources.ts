/** What a new home needs for itself: ports and a network that nobody else uses. Told before anything is started. */
import { createServer } from 'node:net';
import { ipFamily, isInPrefix } from '@podvisor/base';
import { type InstanceConfig, listLinks, podCidrs } from '@podvisor/sys';

/** Throws with what is taken and the way out. */
export async function assertFree(config: InstanceConfig): Promise<void> {
  await assertNetworkFree(config);
  await assertPortsFree(config);
}

/** Throws with the port and the way out. */
async function assertPortsFree(config: InstanceConfig): Promise<void> {
  for (const port of [
    config.apiPort,
    config.virtApiPort,
    ...config.nodes.filter((n) => n.netns === undefined).map((n) => n.handlerPort),
  ]) {
    const probe = createServer();
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, '127.0.0.1', resolve);
    }).catch((error: unknown) => {
      throw new Error(`port ${port} is in use: stop what listens there, or choose others with --api-port`, {
        cause: error,
      });
    });
    await new Promise((resolve) => probe.close(resolve));
  }
}

/** Throws with the interface and the way out: two homes with one Pod network would answer for each other. */
async function assertNetworkFree(
  config: Pick<InstanceConfig, 'name' | 'podCidr' | 'podCidr6'>,
): Promise<void> {
  for (const link of await listLinks()) {
    if (link.ifname.includes(config.name)) continue;
    const taken = podCidrs(config).flatMap((cidr) =>
      link.addr_info.filter(({ local }) => isInPrefix(local, cidr)).map(({ local }) => ({ local, cidr })),
    )[0];
    // Addresses of our own services sit on the loopback interface; a former run may have left them.
    if (taken === undefined || link.ifname === 'lo') continue;
    const other = ((Number(taken.cidr.split(/[.:]/)[1]) || 0) % 200) + 20;
    throw new Error(
      `the Pod network ${taken.cidr} is in use: ${link.ifname} has ${taken.local}. Choose another with --pod-cidr, such as ${ipFamily(taken.cidr) === 6 ? `fd00:${other}::/64` : `10.${other}.0.0/16`}`,
    );
  }
}
