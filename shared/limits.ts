/** Limits of the contract that server and clients both need. */
export const LIMITS = {
  idLength: 40,
  listLimit: { least: 1, most: 200, default: 50 },
  idempotencyKeyLength: 128,
  /** Of a change that was carried out under a key: its repetition gets the same answer. */
  answersKeptHours: 24,
  headerTextLength: 50,
  filesPerFax: 20,
  /** Of one broadcast: recipients, and bytes of the list that names them. */
  broadcastRecipients: 1_000,
  broadcastListBytes: 1_000_000,
  /** Documents of one case packet. */
  caseDocuments: 50,
  /** The largest value of MAX_FILE_SIZE_MB. */
  fileSizeMb: 1_000,
  passwordLength: { least: 12, most: 1024 },
  pinLength: { least: 6, most: 12 },
  cardNumberLength: { least: 4, most: 64 },
  /** Wrong PINs of a person in a browser, before the password is needed there. */
  wrongPins: 5,
  loginLength: 64,
  displayNameLength: 100,
  noteLength: 200,
  /** Sentences offered for the note of a finished work item: one for each digit key. */
  noteSentences: 9,
  resourceIdLength: 100,
  permissionLength: 100,
  /** Of one API key's ceiling. */
  ceilingResources: 20,
  previewMinutes: 10,
  /** Maximum lifetime of a preview, however often it is requested. */
  previewMostMinutes: 120,
  /** Of one caller at a time; the oldest goes. */
  previewsPerCaller: 6,
  previewPageSeconds: 30,
  titleLength: 200,
  /** Of what a fax is about. */
  about: { subject: 200, reference: 100, documentType: 60 },
  /** Maximum number of mailboxes offered to senders. */
  mailboxChoices: 200,
  sendAheadDays: 30,
  /** Days of one answer of the calendar of waiting faxes, and its entries of a day. */
  calendarDays: 62,
  calendarFaxes: { usual: 20, most: 100 },
  /** After a busy or unanswered number. */
  /** After nobody was reached, the question whether a fax arrived comes back. */
  askAgainMinutes: 60,
  tryAgainMinutes: 5,
  callsPerNumber: 60,
  /** Faxes in one call: so many fit on the page that lists them. */
  togetherFaxes: 24,
  /** Pages of one call with several faxes. */
  togetherPages: 200,
  automaticTries: 3,
  /** Work items changed together. */
  workTogether: 100,
  /** So long a person can undo what they did to a work item. */
  undoSeconds: 10,
  /** Senders whose faxes go to Junk. */
  blockedSenders: 1_000,
  /** Faxes that come back from Junk together. */
  broughtBack: 200,
  /** The longest acknowledgement target. */
  acknowledgeHours: 8_760,
  /** The longest span of the statistics of the work queue. */
  statisticsDays: 366,
  /** Name and organization of a contact, and its note. */
  /** Of one rate card. */
  ratePrefixes: 200,
  includedPages: 10_000_000,
  quotedPages: 10_000,
  quotedSeconds: 1_000_000,
  /** Of a delivery route: characters of its name, and what its numbers may be. */
  deliveryRoute: { name: 100, priority: { least: 1, most: 999, usual: 100 }, lines: { least: 1, most: 100 } },
  contactLengths: { name: 100, note: 1000, address: 300, tag: 30, consentNote: 300, timeZone: 60 },
  /** Of one contact: fax numbers beside the first one, tags, and spans of allowed hours. */
  contactNumbers: 5,
  contactTags: 10,
  contactHours: 7,
  /** Lines of a file with numbers for the opt-out list. */
  optOutLines: 20_000,
  /** Contacts that are offered for a typed text. */
  completions: 20,
  /** Characters of a text that a list is searched for. */
  searchLength: 100,
  /** Maximum size of a document that the pages of a received fax carry. */
  originalBytes: 50 * 1024 * 1024,
  /** Of the key for encrypted pages that is agreed with a recipient. */
  sharedKeyLengths: { min: 12, max: 200 },
  /** The longest time for which a fax waits for others to the same number. */
  togetherMinutes: 1_440,
  /** Characters of the names of a print rule and its printer, and of the address of the printer. */
  printRule: { name: 100, address: 500 },
  /** Sent faxes and work items are counted up to this many of each kind. */
  counted: 10_000,
  /** Received faxes are counted up to this many of each kind. */
  receivedCounted: 1_000,
  /** Of an e-mail connector. */
  connector: {
    name: 100,
    host: 255,
    address: 320,
    recipients: 20,
    matchNumber: 64,
    username: 200,
    password: 1_024,
    clientId: 200,
    refreshToken: 8_192,
    tenant: 200,
    subject: 200,
  },
  /** Text typed or pasted into a terminal at once. */
  terminalInputLength: 16_384,
  /** Of webhooks: endpoints of an installation, characters of an address, and how long deliveries and a former secret are kept. */
  webhooks: { endpoints: 20, url: 2_000, keptDays: 7, overlapHours: 168 },
  /** Of direct delivery: characters of an organization and an address on a card, and bytes of a card as text. */
  direct: { organization: 100, endpoint: 500, cardBytes: 4_096 },
  /** New and changed contacts that an import lists, each. */
  contactChangesShown: 1_000,
  contactsFileBytes: 5 * 1024 * 1024,
  /** vCards contain pictures. */
  vcardFileBytes: 20 * 1024 * 1024,
} as const;
