/** The process that touches files of claims for virt-handler, one task after the other. */
import { serveQuestions } from '@podvisor/sys';
import { type ClaimTask, perform } from './claim-task.ts';

serveQuestions((task) => perform(task as ClaimTask));
