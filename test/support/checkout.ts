/** A place that looks like the checkout, whose `podvisor up` takes ports and a network that nobody else has. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type Instance, root } from './instance.ts';

export function layOut(place: string, { apiPort, podCidr }: Instance): void {
  mkdirSync(place);
  for (const entry of ['bin', 'examples']) symlinkSync(`${root}/${entry}`, `${place}/${entry}`);
  const own = `[ "$1" != up ] || set -- "$@" --api-port ${apiPort} --pod-cidr ${podCidr}`;
  writeFileSync(`${place}/podvisor`, `#!/bin/sh\n${own}\nexec ${root}/podvisor "$@"\n`, { mode: 0o755 });
}
