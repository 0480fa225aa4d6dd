import { errorCode } from './errors.ts';

export const PORT_DENIED =
  'The system does not let Faxdesk listen on that port: ports below 1024 need a special permission. Choose a higher one with PORT or --port, or see docs/operating/other-computers.md for how to give that permission.';

/**
 * Returns true when the system refused a port, as it does with those below 1024 on Linux and with reserved ones on
 * Windows.
 */
export function isPortDenied(error: unknown): boolean {
  const isOfListening = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
  return isOfListening && errorCode(error) === 'EACCES';
}
