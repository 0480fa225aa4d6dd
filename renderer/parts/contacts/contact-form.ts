import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatHours, readHours } from '../../../shared/allowed-hours.ts';
import { isTimeZone } from '../../../shared/api/contacts-fields.ts';
import type { EncodedPages } from '../../../shared/encoded-pages.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { client } from '../../api/client.ts';
import { type Contact, contactsChanged } from '../../api/contacts.ts';
import { useInstallation } from '../../api/queries.ts';
import { isRefused } from '../../api/sentence.ts';
import { usePhoneReader } from '../../ui/phone-reader.ts';

/** Shared key of a contact: the stored one, none any more, or a new one. */
type TypedKey = 'kept' | 'removed' | { readonly text: string };

/** Input of a contact. */
export interface TypedContact {
  readonly name: string;
  readonly organization: string;
  readonly number: string;
  readonly minutes: number;
  /** The id of the preferred route; empty for none. */
  readonly route: string;
  readonly encodedPages: EncodedPages;
  readonly sharedKey: TypedKey;
  /** One number a line. */
  readonly otherNumbers: string;
  readonly voice: string;
  readonly address: string;
  /** Separated by commas. */
  readonly tags: string;
  /** ID of the mailbox whose people see it; empty for everybody. */
  readonly owner: string;
  readonly isOptedOut: boolean;
  readonly consent: string;
  /** ID of the cover page; empty for the usual one. */
  readonly cover: string;
  /** As `Mon-Fri 08:00-18:00; Sat 09:00-12:00`; empty for any time. */
  readonly hours: string;
  /** IANA name; empty for that of the installation. */
  readonly timeZone: string;
  /** It takes packets that name what was sent earlier. */
  readonly namesSent: boolean;
  readonly note: string;
  readonly isBlocked: boolean;
}

/** Returns the fields of an existing contact, or of a new one with the number filled in. */
function formValuesOf(contact: Contact | undefined, number: string): TypedContact {
  return {
    name: contact?.name ?? '',
    organization: contact?.organization ?? '',
    number: number || (contact?.fax_number ?? ''),
    minutes: contact?.send_together_minutes ?? 0,
    route: contact?.preferred_route?.id ?? '',
    encodedPages: contact?.encoded_pages ?? 'off',
    sharedKey: contact?.shared_key_fingerprint ? 'kept' : { text: '' },
    otherNumbers: contact?.other_fax_numbers.join('\n') ?? '',
    voice: contact?.voice_number ?? '',
    address: contact?.address ?? '',
    tags: contact?.tags.join(', ') ?? '',
    owner: contact?.owner_mailbox_id ?? '',
    isOptedOut: contact?.opted_out ?? false,
    consent: contact?.consent_note ?? '',
    cover: contact?.cover_id ?? '',
    hours: formatHours(contact?.allowed_hours ?? []),
    timeZone: contact?.time_zone ?? '',
    namesSent: contact?.accepts_references ?? false,
    note: contact?.note ?? '',
    isBlocked: contact?.blocked ?? false,
  };
}

/** Splits a text into its parts, without empty ones. */
function partsOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns why the further numbers or the phone cannot be saved: the wrong number of each; null where there is none. */
export function useNumberProblems({ otherNumbers, voice }: TypedContact) {
  const country = useInstallation()?.country ?? '';
  const reader = usePhoneReader();
  const isWrong = (text: string) =>
    // A contact may keep a number that no numbering plan contains.
    reader !== null &&
    reader !== undefined &&
    reader.readNumber(text, country).kind !== 'number' &&
    !/^\+\d{6,20}$/u.test(text);
  return {
    other: partsOf(otherNumbers, '\n').find(isWrong) ?? null,
    voice: voice.trim() !== '' && isWrong(voice.trim()),
  };
}

/** Returns the reason why the key cannot be saved as it is typed; null when it can. */
export function keyProblemOf({ encodedPages, sharedKey }: TypedContact): 'missing' | 'short' | null {
  const key = typeof sharedKey === 'string' ? '' : sharedKey.text.trim();
  if (key !== '') return key.length < LIMITS.sharedKeyLengths.min ? 'short' : null;
  return encodedPages === 'encrypted' && sharedKey !== 'kept' ? 'missing' : null;
}

/** True for hours that cannot be read. */
export const hoursProblemOf = ({ hours }: TypedContact): boolean =>
  hours.trim() !== '' && readHours(hours) === null;

/** True for a text that names no time zone. */
export const zoneProblemOf = ({ timeZone }: TypedContact): boolean =>
  timeZone.trim() !== '' && !isTimeZone(timeZone.trim());

function sharedKeyOf({ sharedKey }: TypedContact): { shared_key?: string | null } {
  if (sharedKey === 'removed') return { shared_key: null };
  if (sharedKey === 'kept' || sharedKey.text.trim() === '') return {};
  return { shared_key: sharedKey.text.trim() };
}

/** Parses the typed number and finds the contact that already has it. */
export function useTypedNumber(typed: string, own: Contact | undefined) {
  const country = useInstallation()?.country ?? '';
  const read = usePhoneReader()?.readNumber(typed, country) ?? null;
  const number = read?.kind === 'number' ? read : null;
  // A contact may keep a number that no numbering plan contains.
  const to = number?.to ?? (typed.trim() === own?.fax_number ? own.fax_number : null);
  const found = useQuery({
    queryKey: ['contacts', 'of', to],
    enabled: to !== null,
    queryFn: ({ signal }) => client.contacts.listContacts({ query: { fax_number: to ?? '' }, signal }),
  });
  const taken = found.data?.items.find(({ id }) => id !== own?.id);
  return { to, display: number?.display ?? null, taken };
}

/** The fields as they are typed, saved as a new contact or as a change of one. */
export function useContactForm(
  contact: Contact | undefined,
  { number, filled }: { number: string; filled: Partial<TypedContact> | undefined },
  onDone: (saved: Contact) => void,
) {
  const [typed, setTyped] = useState(() => ({ ...formValuesOf(contact, number), ...filled }));
  const [version, setVersion] = useState(contact?.version ?? 0);
  const saving = useMutation({
    mutationFn: async ({ to }: { to: string }) => {
      const body = {
        name: typed.name.trim(),
        organization: typed.organization.trim() || null,
        fax_number: to,
        send_together_minutes: typed.minutes,
        preferred_route: typed.route || null,
        encoded_pages: typed.encodedPages,
        ...sharedKeyOf(typed),
        other_fax_numbers: partsOf(typed.otherNumbers, '\n'),
        voice_number: typed.voice.trim() || null,
        address: typed.address.trim() || null,
        tags: partsOf(typed.tags, ','),
        owner_mailbox_id: typed.owner || null,
        opted_out: typed.isOptedOut,
        consent_note: typed.consent.trim() || null,
        cover_id: typed.cover || null,
        allowed_hours: typed.hours.trim() === '' ? null : readHours(typed.hours),
        time_zone: typed.timeZone.trim() || null,
        accepts_references: typed.namesSent,
        note: typed.note.trim() || null,
        blocked: typed.isBlocked,
      };
      return contact
        ? client.contacts.changeContact({ params: { id: contact.id }, body: { ...body, version } })
        : client.contacts.createContact({ body });
    },
    onSuccess: async (saved) => {
      await contactsChanged();
      onDone(saved);
    },
  });
  return {
    typed,
    type: (change: Partial<TypedContact>) => setTyped({ ...typed, ...change }),
    save: (to: string) => {
      if (!saving.isPending) saving.mutate({ to });
    },
    isPending: saving.isPending,
    error: saving.error,
    isStale: isRefused(saving.error, 'stale'),
    /** Takes the values that the other person saved in place of the typed ones. */
    reload: async () => {
      if (!contact) return;
      const now = await client.contacts.getContact({ params: { id: contact.id } });
      setTyped(formValuesOf(now, ''));
      setVersion(now.version);
      saving.reset();
    },
  };
}
