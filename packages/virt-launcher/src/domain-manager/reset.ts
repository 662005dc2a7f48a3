import { explain } from '../launcher-error.ts';
import { type DomainContext, requireDomain } from './context.ts';

/** The reset button: the guest starts over without being asked; QEMU stays. */
export function reset(context: DomainContext): Promise<void> {
  return context.mutex.run(async () => {
    const { connection, domain } = await requireDomain(context, 'reset');
    await connection.reset(domain).catch((error: unknown) => {
      throw explain('the virtual machine could not be reset', error);
    });
  });
}
