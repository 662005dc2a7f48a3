/** One command to the guest agent. */
import { returnValue } from '../guest-agent/replies.ts';
import { type DomainContext, requireDomain } from './context.ts';

const TIMEOUT_SECONDS = 5;

/** Sends `execute` with `arguments` and returns the reply's value. Throws when the agent does not answer. */
export async function askAgent(
  context: DomainContext,
  execute: string,
  args?: Readonly<Record<string, unknown>>,
  timeoutSeconds: number = TIMEOUT_SECONDS,
): Promise<unknown> {
  const { connection, domain } = await requireDomain(context, 'ask the guest agent of');
  const command = JSON.stringify(args === undefined ? { execute } : { execute, arguments: args });
  return returnValue(await connection.guest.agentCommand(domain, command, timeoutSeconds, context.signal));
}
