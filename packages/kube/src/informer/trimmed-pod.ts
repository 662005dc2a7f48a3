/**
 * A Pod as those remember it who place, count and connect Pods: without what only its kubelet needs to run the
 * containers, which is most of a Pod's memory. What is left out reads as not set: who needs it asks the API.
 */
import type { Pod } from '@podvisor/api';

type Container = Pod['spec']['containers'][number];

export function trimmedPod(pod: Pod): Pod {
  const { containers, initContainers } = pod.spec;
  return {
    ...pod,
    spec: {
      ...pod.spec,
      containers: containers.map(trimmed),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(trimmed) }),
    },
  };
}

/** In the order of how often they are there, so that most containers have the same shape. */
function trimmed({ name, image, resources, ports, restartPolicy }: Container): Container {
  return {
    name,
    image,
    ...(resources === undefined ? {} : { resources }),
    ...(ports === undefined ? {} : { ports }),
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  };
}
