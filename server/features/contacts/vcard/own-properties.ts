import type { ContactTexts } from '../import/texts.ts';

/** Fields of a contact that no property of vCard has. */
export type OwnText = Exclude<
  keyof ContactTexts,
  'name' | 'organization' | 'fax_numbers' | 'voice_number' | 'address' | 'tags' | 'note' | 'time_zone'
>;

/** Properties of our own; other programs keep or ignore them. */
export const OWN_NAMES: Readonly<Record<OwnText, string>> = {
  mailbox: 'X-FAXDESK-MAILBOX',
  opted_out: 'X-FAXDESK-OPTED-OUT',
  consent_note: 'X-FAXDESK-CONSENT',
  allowed_hours: 'X-FAXDESK-HOURS',
  cover_id: 'X-FAXDESK-COVER',
  accepts_references: 'X-FAXDESK-REFERENCES',
  send_together_minutes: 'X-FAXDESK-TOGETHER',
  preferred_route: 'X-FAXDESK-ROUTE',
  encoded_pages: 'X-FAXDESK-ENCODED',
  blocked: 'X-FAXDESK-BLOCKED',
};
