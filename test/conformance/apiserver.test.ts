/** Recorded conversations with a Kubernetes API server: every scenario passes, or is listed with the reason. */
import { recordedTests } from './tests.ts';

recordedTests((file) => file.startsWith('apiserver/'));
