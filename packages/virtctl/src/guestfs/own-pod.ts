/** A Pod that lives as long as the work in it. */

export interface OwnPod {
  /** Rejects when there is one of that name: somebody else's, who works in it. */
  create(): Promise<unknown>;
  remove(): Promise<void>;
}

/** Makes the Pod, does the work, and takes away what it made; a Pod of somebody else is left alone. */
export async function withOwnPod(pod: OwnPod, work: () => Promise<void>): Promise<void> {
  await pod.create();
  try {
    await work();
  } finally {
    await pod.remove();
  }
}
