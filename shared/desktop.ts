import { z } from 'zod';

/**
 * Interface of the desktop application for the console, beside the gateway's API: `window.faxdesk` in the window,
 * absent in a browser. The preload exposes exactly this table; the application validates every argument with the
 * schemas below.
 */
export interface DesktopBridge {
  readonly platform: DesktopPlatform;
  /** The release of the application, as in `0.1.0`. */
  readonly version: string;
  /** Files of *Send as fax*, as they come and those that waited. Each is handed over once. Returns: stop listening. */
  onFiles(listener: (files: DesktopFile[]) => void): () => void;
  /** The files that wait, and forgets them. */
  takeFiles(): Promise<DesktopFile[]>;
  /**
   * Called with each command from the menu, the tray or a notice; those chosen before the first listener subscribed
   * come first.
   */
  onCommand(listener: (command: DesktopCommand) => void): () => void;
  /** Called with the present state at once. Requests made while it is not `running` wait until it is. */
  onGateway(listener: (state: DesktopGatewayState) => void): () => void;
  /** Resolves to true when the window is visible and has the focus. Pages themselves are never hidden. */
  isInFront(): Promise<boolean>;
  /**
   * A notice of the operating system; clicking it opens the window and gives the command `{ open }`. While *Do not disturb* is
   * on it is not shown.
   */
  showNotice(notice: DesktopNotice): Promise<void>;
  /** Shows the window and gives it the focus; absent in an application of an earlier release. */
  openWindow?(): Promise<void>;
  setTray(tray: DesktopTray): Promise<void>;
  /**
   * Says who is signed in, by an id; null after a person signed out for good. Notices of another person are closed, and lead nowhere.
   * Absent in an application of an earlier release.
   */
  setPerson?(person: string | null): Promise<void>;
  /**
   * Says that the page shows the sign-in. Before any person was reported, documents that came belong to no one then. Absent in an
   * application of an earlier release.
   */
  beginSignIn?(): Promise<void>;
  /**
   * Signs this window in with the installation key, which the page never sees, for pages with this token. False when there
   * is an owner already.
   */
  signInFirstOwner(pageToken: string): Promise<boolean>;
  preferences(): Promise<DesktopPreferences>;
  /** Preferences that the office has decided, which no person changes; absent in an application of an earlier release. */
  decidedByOffice?(): Promise<OfficeDecision[]>;
  /**
   * Resolves to true where this account runs the gateway that it had before on a terminal server or a computer with a service;
   * absent in an application of an earlier release.
   */
  keepsGateway?(): Promise<boolean>;
  /** Resolves to true where a service of this computer runs Faxdesk for everyone; absent in an application of an earlier release. */
  hasService?(): Promise<boolean>;
  /** Answers with all preferences as they are now. */
  setPreferences(changes: DesktopPreferenceChanges): Promise<DesktopPreferences>;
  /** Printers of this computer, by name; absent in an application of an earlier release. */
  printers?(): Promise<DesktopPrinter[]>;
  /**
   * Adds the fax printer at this address to the computer. Resolves to null once it is added, else to a sentence that says why not.
   * Absent in an application of an earlier release.
   */
  addPrinter?(uri: string): Promise<string | null>;
  /**
   * Prints the page as it is printed now, in the dialog of the system with the printer that is preferred. Resolves when
   * that is over: to false, without a dialog, when none is preferred or it is gone. Absent in an earlier release.
   */
  print?(paper: DesktopPaper): Promise<boolean>;
  /** Leads to the application's own page where this computer's gateway or another computer's is chosen. */
  chooseGateway(): Promise<void>;
  restartGateway(): Promise<void>;
  openDataFolder(): Promise<void>;
  /**
   * Shows a folder dialog. This computer's gateway may use the chosen folder in its settings from then on. Null when
   * the person canceled.
   */
  chooseFolder(): Promise<string | null>;
  /** Shows a dialog and saves the diagnostics. Resolves to false when the person canceled. */
  saveDiagnostics(): Promise<boolean>;
}

export type DesktopPlatform = 'darwin' | 'linux' | 'win32';

export type DesktopGatewayState = 'starting' | 'running' | 'stopped';

export interface DesktopFile {
  readonly name: string;
  /** A media type, as in `application/pdf`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

export const DESKTOP_COMMANDS = [
  'new-fax',
  'open-inbox',
  'open-work',
  'open-sent',
  'open-contacts',
  'open-settings',
  'toggle-sending',
  'lock',
  'open-help',
] as const;
/** Console paths of the commands in menu and tray. */
export const SCREEN_OF_COMMAND = {
  'new-fax': '/send',
  'open-inbox': '/inbox',
  'open-work': '/work',
  'open-sent': '/sent',
  'open-contacts': '/contacts',
  'open-settings': '/settings',
} as const satisfies Partial<Record<(typeof DESKTOP_COMMANDS)[number], string>>;

/** `open` is a path of the console, as in `/sent/0198c5…`. */
export type DesktopCommand = (typeof DESKTOP_COMMANDS)[number] | { readonly open: string };

export interface DesktopPrinter {
  /** Name by which the system finds it. */
  readonly name: string;
  /** Name for people. */
  readonly label: string;
}

const Line = z.string().max(200);
const Count = z.number().int().min(0).max(1_000_000);

export const ConsolePath = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[!-~]*$/u, 'a path of the console');

export const DesktopNotice = z.strictObject({
  title: Line.min(1),
  body: z.string().max(500),
  open: ConsolePath,
});
export type DesktopNotice = z.infer<typeof DesktopNotice>;

const TRAY_STATES = ['normal', 'new', 'attention', 'broken'] as const;
export type TrayState = (typeof TRAY_STATES)[number];

export const DesktopTray = z.strictObject({
  state: z.enum(TRAY_STATES),
  /** Null when this person may not change it or it is unknown. */
  sending: z.boolean().nullable(),
  newFaxes: Count,
  /** Faxes that need this person; omitted by a page of an earlier release. */
  attention: Count.optional(),
  /** The person's open work items; left out where they may see none. */
  myItems: Count.optional(),
  /** Of these, what is overdue or soon will be. */
  dueItems: Count.optional(),
  /** Changes of the person's items that they have not looked at: given to them, or taken from them. */
  newItems: Count.optional(),
  /** A line of its own, as in `Receiving OK since 07:30`. */
  receiving: Line.nullish(),
  tooltip: Line,
});
export type DesktopTray = z.infer<typeof DesktopTray>;

/** Address of a fax printer, without a character that a shell would read. */
export const FaxPrinterUri = z
  .string()
  .max(300)
  .regex(/^ipps?:\/\/[\w.:[\]-]+\/ipp\/print$/u);

/** Size of the first page in points, of which there are 72 in an inch. */
export const DesktopPaper = z.strictObject({
  width: z.number().positive().max(14_400),
  height: z.number().positive().max(14_400),
});
export type DesktopPaper = z.infer<typeof DesktopPaper>;

/** SHA-256 of the certificate as people compare it: `AB:CD:…`. */
const Fingerprint = z.string().regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/u);

export const DesktopGatewayChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('own') }),
  z.strictObject({
    kind: z.literal('other'),
    /** An origin, as in `https://fax.office.example:8443`. */
    address: z.string().regex(/^https:\/\/[^/?#@\s]+$/u),
    /** Null where an authority that the computer trusts confirms the name, whatever certificate is shown for it. */
    fingerprint: Fingerprint.nullable(),
  }),
]);
export type DesktopGatewayChoice = z.infer<typeof DesktopGatewayChoice>;

/** Preferences that the office can decide for a computer. */
export const OFFICE_DECISIONS = ['gateway', 'startAtLogin'] as const;
export type OfficeDecision = (typeof OFFICE_DECISIONS)[number];

export const DesktopPreferences = z.strictObject({
  startAtLogin: z.boolean(),
  /** The notice that Faxdesk stays in the tray was shown. */
  closeToTraySaid: z.boolean(),
  noticesNameSender: z.boolean(),
  /** Id of the mailbox of this computer; null for none. One that its gateway does not have counts as none. */
  mailbox: Line.nullable(),
  /** Name of the printer by which the system finds it; null for the one that the system chooses. */
  printer: z.string().max(500).nullable(),
  /** End of *Do not disturb*; null while it is off. */
  quietUntil: z.iso.datetime().nullable(),
  gateway: DesktopGatewayChoice,
});
export type DesktopPreferences = z.infer<typeof DesktopPreferences>;

/** The gateway is chosen by a person on the application's own page only, never by a page of a gateway. */
export const DesktopPreferenceChanges = DesktopPreferences.omit({ gateway: true }).partial();
export type DesktopPreferenceChanges = z.infer<typeof DesktopPreferenceChanges>;
