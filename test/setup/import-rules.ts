/** The rooms by rank: a room may use rooms of a lower rank only. */
export const RANKS: string[][] = [
  ['audit'],
  ['settings'],
  ['https', 'storage', 'signing', 'gateways'],
  ['access'],
  ['routing', 'contacts'],
  ['desk', 'holds'],
  ['covers'],
  ['outbound'],
  ['inbound'],
  ['intake', 'print-rules'],
  [
    'work',
    'presence',
    'telephony',
    'imports',
    'folders',
    'cases',
    'broadcasts',
    'mail-to-fax',
    'printing',
    'pairing',
    'assistant',
    'notices',
    'direct',
    'terminal',
  ],
  ['archives', 'console', 'summary', 'webhooks', 'scanning'],
  ['upgrade', 'data-key'],
];

/** The files directly in the folder of a room that its folders share: types, errors, port and rules. */
const SHARED_FILES = '.';

/**
 * The folders within a room by rank: a folder may use itself and folders of a lower rank only. Stores have a stricter
 * rule of their own. The service, the routes, `room.ts` and `offline.ts` are above all folders.
 */
export const FOLDER_RANKS: Record<string, string[][]> = {
  inbound: [['store'], [SHARED_FILES], ['decoding'], ['arriving', 'reading', 'upkeep']],
  outbound: [
    ['store'],
    [SHARED_FILES],
    // Computes the effects of a fact on a fax; pure.
    ['transition'],
    // Captures and opens the plan of a fax.
    ['plan'],
    // Decides what is wrong with a number before a fax goes to it.
    ['guard'],
    // Waiting for a time, a line or other faxes.
    ['queue'],
    // Writes the effects of a fact, and everything that follows from it.
    ['record'],
    ['accept', 'dispatch', 'outcome'],
    ['list', 'preview', 'cleanup'],
    // Signed reports, which a fax shows to others.
    ['proof'],
    // The service, by subject.
    ['services'],
  ],
  direct: [
    // Messages that are exchanged with partners, as others implement them too; pure.
    ['wire'],
    ['store'],
    [SHARED_FILES],
    ['partners'],
    ['deliveries'],
  ],
  telephony: [
    [SHARED_FILES],
    // The log of calls, and the configuration of the engine.
    ['calls', 'configuration'],
    // Faxes that the engine hands over, and the check of the line.
    ['hand-over', 'check'],
  ],
};

/** Libraries that stay in one place, so that they can be replaced there. Tests may use them. */
const PACKAGE_HOMES: Record<string, RegExp> = {
  electron: /^main\//,
  'better-sqlite3': /^server\/db\/sqlite-file\.ts$/,
  pg: /^server\/db\/(?:postgres|announcements)\.ts$/,
  kysely: /^server\/(db\/|features\/([^/]+\/)+store)/,
  '@peculiar/x509': /^server\/adapters\/certificates\/issue\.ts$/,
  '@simplewebauthn/server': /^server\/features\/access\/passkeys\/webauthn\.ts$/,
  '@simplewebauthn/browser': /^renderer\/parts\/sign-in\/passkey\.ts$/,
  pino: /^server\/platform\/logger\.ts$/,
  piscina: /^server\/documents\/pool\/document-pool\.ts$/,
  sharp: /^(server\/documents\/pictures|scripts\/icons)\//,
  '@embedpdf/pdfium': /^server\/documents\/pdfium\//,
  nodemailer: /^server\/adapters\/mail\//,
  imapflow: /^server\/adapters\/mail\//,
  ldapts: /^server\/adapters\/directory\//,
  mailauth: /^server\/adapters\/mail\//,
  mailparser: /^server\/adapters\/mail\//,
  '@xterm/xterm': /^renderer\/features\/console-system\/terminal-view\.ts$/,
  '@xterm/addon-fit': /^renderer\/features\/console-system\/terminal-view\.ts$/,
  marked: /^scripts\/console-help\.ts$/,
  minisearch: /^renderer\/features\/console-help\/help-search\.ts$/,
  standardwebhooks: /^server\/adapters\/webhooks\//,
  '@opentelemetry/api': /^server\/adapters\/telemetry\//,
  '@opentelemetry/sdk-trace': /^server\/adapters\/telemetry\//,
  '@opentelemetry/sdk-metrics': /^server\/adapters\/telemetry\//,
  'dns-packet': /^server\/(adapters\/discovery\/|platform\/service-search\.ts$)/,
  '@scure/bip39': /^(server\/adapters\/certificates\/words|main\/certificate-words)\.ts$/,
  fontkit: /^server\/documents\/pdf\//,
  'fast-xml-parser': /^server\/adapters\/scanners\/escl-documents\.ts$/,
  '@modelcontextprotocol/server': /^server\/assistant\//,
};

/** The public files of a room, which other rooms may use: its service, types and errors, and the ports it owns. */
const PUBLIC = /^server\/features\/[^/]+\/(service|types|errors|([a-z]+-)*port)\.ts$/;
/** Contract that a room, or the work on documents, declares for adapters, which implement it: `transport-port.ts`. */
const FOR_ADAPTERS = /^server\/(features\/[^/]+|documents)\/([a-z]+-)+port\.ts$/;
/** Store operations of a room for the command line, without a gateway. */
const OFFLINE = /^server\/features\/[^/]+\/offline\.ts$/;
/** Makes a room, or is the shape of all rooms. */
const ROOM = /^server\/features\/([^/]+\/)?room\.ts$/;
/** `routes.ts`, `callback-routes.ts`, `routes/…`, `keys/routes.ts`, `routes-of-owners.ts` within a room. */
const ROUTES = /^([a-z-]+-)?routes([-.]|$)/;
/** `store.ts`, `store/…`, `keys/store.ts` within a room. */
const STORE = /^store([-.]|$)/;
/** The composition root, and the files directly in `server/` that are its entries. */
const ROOT = /^server\/(composition\/)?[^/]+\.ts$/;
/** The gateway, and what the process of documents is made of. */
const FOR_MAIN = /^(main\/|server\/(index|document-process|terminal-process|network-search)\.ts$)/;
/** The commands, and the files that only begin them. */
const COMMAND_LINE = /^server\/cli\//;
const BEGIN_COMMANDS: Readonly<Record<string, string>> = {
  'server/cli.ts': 'server/cli/run.ts',
  'server/terminal-process.ts': 'server/cli/terminal-session/serve-terminal.ts',
};

/** Work between two starts, when no gateway is on the store. */
const BETWEEN_STARTS = ['backups', 'move', 'take-back', 'upgrade'].map(
  (name) => `server/composition/${name}.ts`,
);

/** Returns the reason why `from` may not import `target` (a repository path or a package); null when it may. */
export function importFault(from: string, target: string): string | null {
  if (from.startsWith('test/')) return null;
  const own = /^(shared|renderer|main|server|scripts|test)\//.test(target);
  return own ? fileImportFault(from, target) : packageImportFault(from, target);
}

function packageImportFault(from: string, target: string): string | null {
  const name = target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
  const home = PACKAGE_HOMES[name];
  if (home !== undefined && !home.test(from)) return `${name} is imported only in ${home.source}`;
  if (from.startsWith('shared/') && name !== 'zod') return 'shared imports zod and itself only';
  if (from.startsWith('renderer/') && target.startsWith('node:')) return 'the renderer is a web app';
  return null;
}

function fileImportFault(from: string, target: string): string | null {
  if (target.startsWith('test/')) return 'nothing imports test';
  if (from.startsWith('scripts/')) return null;
  const [top = ''] = from.split('/');
  if (target.startsWith('shared/'))
    return faultUnless(!from.startsWith('renderer/ui/'), 'the kit knows no fax, so nothing of shared');
  if (top === 'main')
    return faultUnless(
      FOR_MAIN.test(target),
      'main imports server/index.ts, document-process.ts, terminal-process.ts and network-search.ts only',
    );
  if (top === 'renderer') return rendererImportFault(from, target);
  if (top === 'server') return serverImportFault(from, target);
  return `${top} imports shared only`;
}

function rendererImportFault(from: string, target: string): string | null {
  if (!target.startsWith('renderer/')) return 'the renderer imports shared and itself only';
  const [, folder = ''] = from.split('/');
  if (folder === 'ui') return folderImportFault(target, ['renderer/ui/'], 'the kit imports itself only');
  if (folder === 'parts')
    return folderImportFault(
      target,
      ['renderer/parts/', ...FOR_PARTS],
      'parts import themselves, ui, api and texts only',
    );
  const feature = /^renderer\/features\/[^/]+\//.exec(from)?.[0];
  if (feature === undefined) return null;
  const reason = 'a feature of the renderer imports itself, parts, ui, api and texts only';
  return folderImportFault(target, [feature, 'renderer/parts/', ...FOR_PARTS], reason);
}

const FOR_PARTS = ['renderer/ui/', 'renderer/api/', 'renderer/texts/'];

function folderImportFault(target: string, folders: string[], reason: string): string | null {
  return faultUnless(
    folders.some((folder) => target.startsWith(folder)),
    reason,
  );
}

/** Folders of the server that may import themselves, platform, shared and what stands here. */
const LAYERS: Record<string, string[]> = {
  platform: [],
  config: ['platform'],
  http: ['platform'],
  db: ['platform'],
  jobs: ['platform', 'db'],
  documents: ['platform'],
  assistant: ['platform'],
  backup: ['platform', 'config', 'db', 'adapters/storage'],
};

function serverImportFault(from: string, target: string): string | null {
  if (BEGIN_COMMANDS[from] === target) return null;
  if (BETWEEN_STARTS.includes(from) && OFFLINE.test(target)) return null;
  if (ROOT.test(from)) return listedImportFault(target, FOR_ROOT, 'the composition root');
  if (COMMAND_LINE.test(from)) return listedImportFault(target, FOR_COMMAND_LINE, 'the command line');
  if (!target.startsWith('server/') || ROOT.test(target) || COMMAND_LINE.test(target))
    return 'rooms and layers do not know who composes them';
  const [, folder = ''] = from.split('/');
  if (folder === 'features') return featureImportFault(from, target);
  if (folder === 'adapters') return adapterImportFault(from, target);
  const layers = LAYERS[folder];
  if (layers === undefined) return `server/${folder} has no place in the table of who may import whom`;
  const allowed = [folder, ...layers].some((layer) => target.startsWith(`server/${layer}/`));
  return faultUnless(allowed, `server/${folder} imports ${['itself', 'shared', ...layers].join(', ')} only`);
}

/** The database without the rows of its tables. */
const DB = /^server\/db\/(?!schema\/|migrations\/)/;

/** Imports of the files that put the parts together: what creates a part, never its internals. */
const FOR_ROOT: RegExp[] = [
  ROOT,
  /^server\/(config|platform|http|jobs|backup)\//,
  DB,
  /^server\/documents\/(documents|process\/(messages|no-network|serve-documents))\.ts$/,
  /^server\/adapters\/[^/]+\/([a-z]+-)?port\.ts$/,
  // The files that make the adapters.
  /^server\/adapters\/(audit\/create-sinks|certificates\/certificates|directory\/ldap|discovery\/discovery|mail\/(imap|mail-threads|smtp|tokens)|office\/libreoffice|printers\/ipp|providers\/registry|storage\/(local|objects|s3\/bucket)|scanners\/escl|telemetry\/otlp-exporter|terminal\/start-process|test-transport\/test-transport|webhooks\/send-webhook|peers\/peer-client)\.ts$/,
  ROOM,
  PUBLIC,
];

/** A command asks the gateway by its API; what it does without one, it asks of the files named here. */
const FOR_COMMAND_LINE: RegExp[] = [
  COMMAND_LINE,
  /^server\/(index|composition\/(backups|move|move-check|take-back|upgrade))\.ts$/,
  /^server\/(config|platform|jobs|backup|assistant)\//,
  /^server\/adapters\/storage\/local\.ts$/,
  DB,
  PUBLIC,
  OFFLINE,
];

function listedImportFault(target: string, allowed: RegExp[], importer: string): string | null {
  return faultUnless(
    allowed.some((path) => path.test(target)),
    `${importer} imports what the table names for it only: of a room its public files`,
  );
}

function adapterImportFault(from: string, target: string): string | null {
  if (target.startsWith('server/platform/') || FOR_ADAPTERS.test(target)) return null;
  const [, , kind, own] = from.split('/');
  const folder = `server/adapters/${kind}/`;
  const isTop = from.split('/').length === 4;
  const allowed =
    target.startsWith(folder) &&
    (isTop || target.split('/').length === 4 || target.startsWith(`${folder}${own}/`));
  return faultUnless(
    allowed,
    'an adapter imports platform, shared, its own folder, the port folder and the ports of rooms for adapters only',
  );
}

/** The shape that all rooms have, seen by `gateway.ts`. */
const ROOM_SHAPE = 'server/features/room.ts';
const FOR_ROOM_SHAPE =
  /^server\/(http\/(caller|handler)|jobs\/define-job|platform\/(figure|traced-fax))\.ts$/;

function featureImportFault(from: string, target: string): string | null {
  const [, , room = '', name = ''] = from.split('/');
  if (from === ROOM_SHAPE)
    return faultUnless(FOR_ROOM_SHAPE.test(target), 'the shape of a room knows types only');
  if (target === ROOM_SHAPE)
    return faultUnless(
      from.endsWith('/room.ts') || from.startsWith('server/features/console/'),
      'only room.ts and the console, which tells the events of all rooms, know the shape of a room',
    );
  if (rankOf(room) === -1) return `${room} is not a room`;
  if (target.startsWith('server/platform/')) return null;
  if (isIn(from, ROUTES)) return routesImportFault(room, target);
  if (isIn(from, STORE)) return storeImportFault(room, target);
  return serviceImportFault(room, name, target) ?? folderRankFault(room, from, target);
}

/** Returns true when a file of a room, or one of its folders, has such a name. */
function isIn(path: string, name: RegExp): boolean {
  return path
    .split('/')
    .slice(3)
    .some((part) => name.test(part));
}

function routesImportFault(room: string, target: string): string | null {
  const isOwn = target.startsWith(`server/features/${room}/`) && !isIn(target, STORE);
  const isAccess = target.startsWith('server/features/access/') && PUBLIC.test(target);
  const allowed = isOwn || isAccess || target.startsWith('server/http/');
  return faultUnless(allowed, 'routes import their own room without its store, http, shared and access only');
}

function storeImportFault(room: string, target: string): string | null {
  const isOwn = target.startsWith(`server/features/${room}/`);
  const isKnown = isIn(target, STORE) || /\/(types|errors|[a-z-]+-state)\.ts$/.test(target);
  const allowed = (isOwn && isKnown) || ownSchema(room).test(target) || DB.test(target);
  return faultUnless(allowed, `a store imports db, db/schema/${room} and its types and states only`);
}

/** Files directly in the folder of a room that use its folders. */
const ABOVE_FOLDERS = /^(service|room|offline)\.ts$/;

function folderRankFault(room: string, from: string, target: string): string | null {
  const ranks = FOLDER_RANKS[room];
  const [own, other] = [folderWithin(from), folderWithin(target)];
  if (ranks === undefined || !target.startsWith(`server/features/${room}/`) || own === other) return null;
  const rankIn = (folder: string) => ranks.findIndex((folders) => folders.includes(folder));
  if (ABOVE_FOLDERS.test(own)) return null;
  const allowed = rankIn(other) !== -1 && rankIn(other) < rankIn(own);
  return faultUnless(allowed, `${own} of ${room} may use lower folders only, and ${other} is not lower`);
}

/** Returns the folder of a file within its room, or the name of a file that is above all folders. */
function folderWithin(path: string): string {
  const [, , , name = '', file] = path.split('/');
  if (file !== undefined) return name;
  return ABOVE_FOLDERS.test(name) ? name : SHARED_FILES;
}

/** A table belongs to one room; no other room uses its rows. */
function ownSchema(room: string): RegExp {
  return new RegExp(`^server/db/schema/${room}([-.]|/)`);
}

/** `room.ts` puts a room together; no other file of it imports routes. */
function serviceImportFault(room: string, file: string, target: string): string | null {
  const [, folder = '', other = ''] = target.split('/');
  if (['jobs', 'documents'].includes(folder) || target === 'server/db/database.ts') return null;
  if (ownSchema(room).test(target)) return null;
  if (folder === 'adapters')
    return faultUnless(
      /\/([a-z]+-)?port\.ts$/.test(target),
      'a room knows an adapter by its port files only',
    );
  // The HTTP layer asks who calls through a port that access fills.
  if (folder === 'http' && (room === 'access' || file === 'room.ts')) return null;
  // A room with a listener of its own opens it as the gateway opens its one.
  if (target === 'server/http/listening.ts' && ['https', 'printing'].includes(room)) return null;
  // The tools of the protocol, which the command line serves as well.
  if (folder === 'assistant' && room === 'assistant') return null;
  if (folder !== 'features') return `a room does not import server/${folder}`;
  if (other === room)
    return faultUnless(!isIn(target, ROUTES) || file === 'room.ts', 'only room.ts knows its routes');
  if (rankOf(other) >= rankOf(room)) return `${room} may use lower rooms only, and ${other} is not lower`;
  return faultUnless(PUBLIC.test(target), 'another room is used through its public files only');
}

function rankOf(room: string): number {
  return RANKS.findIndex((rooms) => rooms.includes(room));
}

function faultUnless(allowed: boolean, reason: string): string | null {
  return allowed ? null : reason;
}
