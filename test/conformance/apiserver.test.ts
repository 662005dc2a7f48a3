/** Recorded conversations with an API server; in a file of its own because they take minutes. */
import { recordedTests } from './tests.ts';

recordedTests((file) => file.startsWith('apiserver/'));
