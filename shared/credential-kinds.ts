import type { SessionSource } from './states/access.ts';

/**
 * Channels by which a fax is accepted for a person or integration without a request from them at that moment: by the
 * gateway itself, or by an assistant with their key. Each has a sentence in the history of its faxes, a name in the security audit, types of documents that it
 * takes, and a test with the built gateway; none of these compiles without an entry for every channel.
 */
const INTAKE_CHANNELS = ['send_folder', 'send_mailbox', 'assistant'] as const;
export type IntakeChannel = (typeof INTAKE_CHANNELS)[number];

/** Returns true when a fax of this credential was accepted by a channel, not by a request of its person or integration. */
export function isIntakeChannel(kind: CredentialKind): kind is IntakeChannel {
  return INTAKE_CHANNELS.some((channel) => channel === kind);
}

/** Kind of the credential of a caller. `terminal` is the key of an open console terminal. */
export type CallerCredential = 'key' | 'session' | 'terminal' | 'installation_key' | 'none' | IntakeChannel;

/** Kind of the credential of an actor in histories and the security audit. */
export type CredentialKind = CallerCredential | SessionSource | 'pairing_code' | 'command_line';
