/** Who asks, where that makes no difference. */
import type { User } from '../access/front-proxy.ts';

export const ANYBODY: User = { name: 'ann', groups: [], extra: {} };
