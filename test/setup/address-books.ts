/** Person of an address book of a test, with every field that its program writes. */
export interface BookPerson {
  readonly given: string;
  readonly family: string;
  readonly organization: string;
  /** Work fax, then home fax. */
  readonly faxes: readonly string[];
  readonly phone: string;
  readonly street: string;
  readonly city: string;
  readonly region: string;
  readonly code: string;
  readonly country: string;
  readonly tags: readonly string[];
  readonly note: string;
}

/** Folds a line as RFC 6350 asks, at 75 characters and never within an octet sequence. */
function fold(line: string): string {
  const parts: string[] = [];
  for (let rest = [...line]; rest.length > 0; )
    parts.push(rest.splice(0, parts.length === 0 ? 60 : 59).join(''));
  return parts.join('\r\n ');
}

const escape = (text: string) =>
  text.replaceAll(/[\\,;]/gu, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
const cards = (lines: readonly string[]) => `${lines.map(fold).join('\r\n')}\r\n`;
/** Base64 of a picture, folded over hundreds of lines. */
const PICTURE = 'iVBORw0KGgo'.repeat(3_000);

/** Quoted-printable of UTF-8 with soft line ends, as Outlook writes it. */
function quoted(text: string): string {
  const bytes = [...Buffer.from(text.replaceAll('\n', '\r\n'))];
  const signs = bytes.map((byte) =>
    byte < 33 || byte > 126 || byte === 61
      ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte),
  );
  const lines: string[] = [];
  while (signs.length > 0) lines.push(signs.splice(0, 20).join(''));
  return lines.join('=\r\n');
}

/** Version 2.1, as Outlook saves it: quoted-printable, bare types, tags separated by semicolons in a property of its own. */
export function outlookBook(people: readonly BookPerson[]): Uint8Array {
  const text = people.map((one) => {
    const q = ';CHARSET=utf-8;ENCODING=QUOTED-PRINTABLE:';
    const [work, home] = one.faxes;
    return [
      'BEGIN:VCARD',
      'VERSION:2.1',
      `N${q}${quoted(`${one.family};${one.given}`)}`,
      `FN${q}${quoted(`${one.given} ${one.family}`)}`,
      `ORG${q}${quoted(one.organization)}`,
      `NOTE${q}${quoted(one.note)}`,
      `TEL;WORK;VOICE:${one.phone}`,
      `TEL;WORK;FAX:${work}`,
      ...(home === undefined ? [] : [`TEL;HOME;FAX:${home}`]),
      `ADR;WORK;PREF${q}${quoted(`;;${one.street};${one.city};${one.region};${one.code};${one.country}`)}`,
      `CATEGORIES${q}${quoted(one.tags.join(','))}`,
      'PHOTO;TYPE=PNG;ENCODING=BASE64:',
      ` ${PICTURE.slice(0, 500)}`,
      '',
      'REV:20260101T000000Z',
      'END:VCARD',
      '',
    ].join('\r\n');
  });
  return Buffer.from(text.join(''));
}

/** Version 3, as Google Contacts exports it. */
export function googleBook(people: readonly BookPerson[]): Uint8Array {
  const text = people.map((one) =>
    cards([
      'BEGIN:VCARD',
      'VERSION:3.0',
      `FN:${escape(`${one.given} ${one.family}`)}`,
      `N:${escape(one.family)};${escape(one.given)};;;`,
      `TEL;TYPE=WORK:${one.phone}`,
      ...one.faxes.map((fax, at) => `TEL;TYPE=${at === 0 ? 'WORK' : 'HOME'};TYPE=FAX:${fax}`),
      `ADR;TYPE=WORK:;;${escape(one.street)};${escape(one.city)};${one.region};${one.code};${one.country}`,
      `ORG:${escape(one.organization)}`,
      `NOTE:${escape(one.note)}`,
      `CATEGORIES:myContacts,${one.tags.map(escape).join(',')}`,
      'END:VCARD',
    ]),
  );
  return Buffer.from(text.join(''));
}

/** Version 3, as Apple Contacts exports it: groups with labels, a picture, and a list of contacts. */
export function appleBook(people: readonly BookPerson[]): Uint8Array {
  const text = people.map((one) =>
    cards([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'PRODID:-//Apple Inc.//macOS 15.0//EN',
      `N:${escape(one.family)};${escape(one.given)};;;`,
      `FN:${escape(`${one.given} ${one.family}`)}`,
      `ORG:${escape(one.organization)};`,
      `TEL;type=WORK;type=VOICE;type=pref:${one.phone}`,
      ...one.faxes.flatMap((fax, at) =>
        at === 0
          ? [`TEL;type=WORK;type=FAX:${fax}`]
          : [`item1.TEL:${fax}`, 'item1.X-ABLabel:_$!<HomeFAX>!$_'],
      ),
      `item2.ADR;type=WORK;type=pref:;;${escape(one.street)};${escape(one.city)};${one.region};${one.code};${one.country}`,
      'item2.X-ABADR:us',
      `NOTE:${escape(one.note)}`,
      `CATEGORIES:${one.tags.map(escape).join(',')}`,
      `PHOTO;ENCODING=b;TYPE=JPEG:${PICTURE}`,
      'END:VCARD',
    ]),
  );
  const list = cards([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Referrals',
    'X-ADDRESSBOOKSERVER-KIND:group',
    'END:VCARD',
  ]);
  return Buffer.from([...text, list].join(''));
}

/** Version 4, as Thunderbird and Nextcloud write it. */
export function nextcloudBook(people: readonly BookPerson[]): Uint8Array {
  const text = people.map((one, at) =>
    cards([
      'BEGIN:VCARD',
      'VERSION:4.0',
      `UID:urn:uuid:0000${at}`,
      `FN:${escape(`${one.given} ${one.family}`)}`,
      `N:${escape(one.family)};${escape(one.given)};;;`,
      `ORG;PREF=1:${escape(one.organization)}`,
      ...one.faxes.map((fax, place) =>
        at % 2 === 0
          ? `TEL;TYPE="fax,${place === 0 ? 'work' : 'home'}";VALUE=uri:tel:${fax.replaceAll(/[^\d+]/gu, '-')}`
          : `TEL;TYPE=fax;VALUE=TEXT:${fax}`,
      ),
      `TEL;TYPE=work;VALUE=TEXT:${one.phone}`,
      `ADR;TYPE=work:;;${escape(one.street)};${escape(one.city)};${one.region};${one.code};${one.country}`,
      `CATEGORIES:${one.tags.map(escape).join(',')}`,
      `NOTE:${escape(one.note)}`,
      'TZ:America/Chicago',
      'END:VCARD',
    ]),
  );
  return Buffer.from(text.join(''));
}
