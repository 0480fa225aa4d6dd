interface FaultKindFacts {
  /** Short description in the documentation. */
  readonly name: string;
  /** One sentence that says what to do. */
  readonly cure: string;
  /** Sentences of *System > Health*, or of the same rules without a gateway, that report this fault. */
  readonly says?: RegExp;
}

const define = <K extends string>(kinds: Record<K, FaultKindFacts>): Readonly<Record<K, FaultKindFacts>> =>
  kinds;

/** The faults that `faxdesk diagnose` finds, those first that explain others. */
export const FAULT_KINDS = define({
  data_folder: {
    name: 'Wrong data folder, or two of them',
    cure: 'Give the folder of the installation with --data or FAXDESK_DATA, and move one that is not used away.',
    says: /^There is no installation in|^There is no database in|stores its records in PostgreSQL|does not use the other installation/u,
  },
  database_away: {
    name: 'The database is away',
    cure: 'Start PostgreSQL, and check the address and password in DATABASE_URL.',
    says: /^The database (?:is not responding|that DATABASE_URL names cannot be reached|cannot be reached)|^PostgreSQL |in DATABASE_URL/u,
  },
  database_connections: {
    name: 'The database accepts no more connections',
    cure: 'Raise max_connections of PostgreSQL and the limits of its user and database, or close other programs that use it. A gateway uses up to 11.',
    says: /^The database accepts no more connections/u,
  },
  connections_in_use: {
    name: 'The gateway uses all its database connections',
    cure: 'Wait: Faxdesk goes on by itself. If this lasts for minutes, look for slow queries in PostgreSQL, then restart Faxdesk.',
    says: /^All database connections of this gateway/u,
  },
  database_release: {
    name: 'The database is of another release, or was moved away',
    cure: 'Start the release and the database that the sentence names, or restore a backup with "faxdesk restore".',
    says: /^The data was written by a newer release|^This installation was moved to/u,
  },
  database_damaged: {
    name: 'The database is damaged',
    cure: 'Stop Faxdesk, restore the newest backup with "faxdesk restore <backup> --replace", and check the disk.',
    says: /^The database is damaged|^The database cannot be read|^The database is empty/u,
  },
  data_key: {
    name: 'The data key is missing or not the right one',
    cure: 'Put the right data.key back into the data folder, for example from a backup, and start Faxdesk again.',
    says: /^The data key /u,
  },
  folder_not_writable: {
    name: 'A folder cannot be written to',
    cure: 'Give the account that runs Faxdesk permission to write to the folder and everything in it.',
    says: /^Faxdesk cannot write to|^The disk of .* (?:reports errors|is not responding)|^The disk of Faxdesk/u,
  },
  disk_full: {
    name: 'The disk is nearly full',
    cure: 'Free up space or remove old backups, and set ARTIFACT_TTL_DAYS to remove old documents.',
    says: /^The disk is nearly full|^The disk has only|^The disk of .* is full|all its space on the disk/u,
  },
  port_taken: {
    name: 'Another program uses the port',
    cure: 'Stop the other program, or start Faxdesk on another port with PORT or --port.',
  },
  not_running: {
    name: 'Faxdesk does not run',
    cure: 'Start it: its service, the desktop application, or "faxdesk serve".',
  },
  clock_wrong: {
    name: 'The clock of this computer is wrong',
    cure: 'Correct the time and the time zone of this computer, and let the system set the clock from the internet.',
  },
  no_provider: {
    name: 'No fax provider is set up',
    cure: 'Choose one with "faxdesk settings change FAX_BACKEND=…" and enter its credentials.',
    says: /^No fax provider/u,
  },
  account_refused: {
    name: 'The provider refuses the account',
    cure: 'Enter the credentials of the provider’s console again, add credit there, and check with "faxdesk settings validate <provider>".',
    says: /does not accept the account|the account has no credit/u,
  },
  provider_away: {
    name: 'The provider does not answer',
    cure: 'Check the internet connection, the proxy and the firewall of this computer.',
    says: /has not answered since|^The provider is not responding/u,
  },
  phone_line: {
    name: 'The SIP trunk is not registered, or Asterisk does not answer',
    cure: 'Follow "faxdesk telephony check", and correct host, user and password of the trunk in the settings.',
    says: /^A fax could not be handed over|hand-over/u,
  },
  sending_off: {
    name: 'Sending is off',
    cure: 'Turn it on with "faxdesk settings change FAX_DISABLED=false".',
    says: /^Sending is off/u,
  },
  faxes_held: {
    name: 'Faxes are held',
    cure: 'Release each with "faxdesk jobs release <id>", or cancel it with "faxdesk jobs cancel <id>".',
  },
  receiving: {
    name: 'Faxes cannot arrive',
    cure: 'Set a public address and the secret for notifications, or turn on checking with INBOUND_POLLING.',
    says: /^No provider can reach Faxdesk|^Faxes cannot arrive/u,
  },
  callbacks: {
    name: 'The provider’s callbacks cannot reach Faxdesk',
    cure: 'Correct PUBLIC_API_URL, its name in the DNS, its certificate and the way from there to this computer.',
  },
  certificate: {
    name: 'The HTTPS certificate ends soon, or HTTPS does not work',
    cure: 'Put a new certificate and its key into the files of HTTPS_CERTIFICATE_FILE and HTTPS_KEY_FILE.',
    says: /reach Faxdesk over HTTPS/u,
  },
  bucket_away: {
    name: 'The bucket of the documents is away',
    cure: 'Check address, keys and permissions of the bucket with "faxdesk storage check".',
    says: /^The object storage has a problem|object storage is chosen/u,
  },
  mail_refused: {
    name: 'The e-mail server refuses',
    cure: 'Check host, sign-in, sender and recipients with "faxdesk connectors test <connector>".',
    says: /e-mail connector|^No daily summary can be sent|daily summary .* (?:refused|could not be sent)|e-mails? with (?:a )?received fax.* could not be delivered|reading the mailbox/u,
  },
  printer: {
    name: 'An office printer does not print received faxes',
    cure: 'Check the printer with "faxdesk print-rules check <print-rule>", and decide about its faxes with "faxdesk printouts list".',
    says: /received fax(?:es)? (?:may or may not have been printed|could not be printed|waits? for a printer)/u,
  },
  backup_old: {
    name: 'No recent backup',
    cure: 'Make one with "faxdesk backup create", and choose an hour with BACKUP_DAILY_AT.',
    says: /^There is no backup yet|^The last backup is from|^The daily backup|backup folder/iu,
  },
});

type FaultKind = keyof typeof FAULT_KINDS;

/** Fault with its sentence and its cure. */
export interface Fault {
  readonly kind: FaultKind;
  readonly fault: string;
  readonly cure: string;
}

const KINDS = Object.keys(FAULT_KINDS) as FaultKind[];

export const faultOf = (kind: FaultKind, fault: string): Fault => ({
  kind,
  fault,
  cure: FAULT_KINDS[kind].cure,
});

/** Finds the fault that a sentence reports; null where it reports none of them. */
export function faultOfSentence(sentence: string): Fault | null {
  const kind = KINDS.find((each) => FAULT_KINDS[each].says?.test(sentence));
  return kind === undefined ? null : faultOf(kind, sentence);
}

/** Sorts faults into the order of the table, each sentence once. */
export function inOrder(faults: readonly Fault[]): Fault[] {
  const unique = [...new Map(faults.map((each) => [`${each.kind} ${each.fault}`, each])).values()];
  return unique.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

/** Returns the rows of the table in the documentation. */
export function faultRows(): string[] {
  return KINDS.map(
    (kind) =>
      `| \`${kind}\` | ${FAULT_KINDS[kind].name} | ${FAULT_KINDS[kind].cure.replaceAll('<', '\\<')} |`,
  );
}
