import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildClient } from '../../scripts/build-client.ts';
import { ROOT } from '../../scripts/steps.ts';
import { RELEASE } from '../../server/config/release.ts';
import { type BusyOffice, startBusyOffice } from '../setup/busy-office.ts';
import { needRuntime } from '../setup/client-programs.ts';
import { ClientProject, needNode } from '../setup/client-project.ts';
import { fencedBlocks } from '../setup/fenced-blocks.ts';
import { needTools } from '../setup/tools.ts';

/** Checks programs for Node without compiling them. */
const TYPES_ALONE = { lib: ['es2023'], types: ['node'], noEmit: true } as const;

const README = 'shared/client/README.md';
/** Programs of the README, by the names of their files. */
const EXAMPLES = Object.fromEntries(
  fencedBlocks(README)
    .filter(({ language }) => language === 'ts')
    .map(({ text }, index) => [`example-${index + 1}`, text]),
);
/** Text that each of them prints. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'example-1': /^delivered null$/mu,
  'example-2': /^\S{36} (?:is sent now|was sent before)$/mu,
  'example-3': /^\+12025550199 sent 1 pages to no mailbox$/mu,
  'example-4': /^Ask for the number again\.$/mu,
  'example-5': /is a fax number\n(?:\S{36} \+12025550123 success\n)+$/u,
};

/** Both ways, a schema of the contract and the type that is written out for the package have to fit each other. */
const SAME_TYPES = `
import type * as Package from '@faxdesk/client';
import type * as Contract from '${join(ROOT, 'shared/client/package/contract.ts')}';

type Same<A, B> = [A, B] extends [B, A] ? true : false;
${[
  'ErrorCode',
  'FaxEvent',
  'FaxFilter',
  'FaxJob',
  'FaxNumberCheck',
  'InboundFax',
  'InboundFaxCounts',
  'InboundFilter',
  'PluginConfig',
  'PluginConfigWrite',
  'PluginList',
  'SendFields',
]
  .map((name) => `export const is${name}: Same<Package.${name}, Contract.${name}> = true;`)
  .join('\n')}
`;

let tarball: string;
let office: BusyOffice;
beforeAll(async () => {
  tarball = await buildClient();
  office = await startBusyOffice('fax:send', 'fax:read', 'inbound:list', 'inbound:read', 'inbound:document');
});
afterAll(() => office.close());

/** Words before the file of a program. */
const RUN = {
  bun: ['run'],
  // Files in the folder of shared memory need everything.
  deno: ['run', '--node-modules-dir=manual', '--no-remote', '--allow-all'],
} as const;

/** Runs the five examples; each prints what the README says, and the received fax is stored. */
async function runExamples(
  project: ClientProject,
  run: (name: string) => Promise<{ readonly stdout: string }>,
): Promise<void> {
  for (const [name, printed] of Object.entries(PRINTED)) {
    if (name === 'example-3') await office.receive();
    expect((await run(name)).stdout, name).toMatch(printed);
  }
  const saved = (await readdir(project.folder)).find((name) => /^.{36}\.pdf$/u.test(name));
  expect((await readFile(join(project.folder, String(saved)))).subarray(0, 5).toString()).toBe('%PDF-');
}

describe('the package of the API client', () => {
  test('contains its code, its types, a page and the license, and needs no other package', async () => {
    const folder = join(ROOT, 'out/client');
    expect((await readdir(folder)).filter((name) => !name.startsWith('.')).sort()).toEqual([
      'LICENSE',
      'README.md',
      `faxdesk-client-${RELEASE}.tgz`,
      'index.d.ts',
      'index.js',
      'package.json',
    ]);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest).not.toHaveProperty('dependencies');
    const [code, types] = [
      await readFile(join(folder, 'index.js'), 'utf8'),
      await readFile(join(folder, 'index.d.ts'), 'utf8'),
    ];
    for (const text of [code, types]) expect(text).not.toMatch(/\bfrom ['"]|\bimport\b|\brequire\(|\bzod\b/u);
    expect((await stat(tarball)).size).toBeLessThan(30_000);
  });

  test('has five examples', () => {
    expect(Object.keys(EXAMPLES)).toEqual(Object.keys(PRINTED));
  });

  test.for([20, 24])(
    'installs offline and runs its examples as printed under Node %i',
    async (line, context) => {
      const project = await ClientProject.create(await needNode(context, line), tarball);
      try {
        await project.write(EXAMPLES);
        // Node 24 runs TypeScript by itself.
        if (line < 24) await project.compile(EXAMPLES, { lib: ['es2023'], types: ['node'] });
        await runExamples(project, (name) =>
          project.run(`${name}.${line < 24 ? 'js' : 'ts'}`, office.environment),
        );
      } finally {
        await project.close();
      }
    },
  );

  test.for(['bun', 'deno'] as const)('runs its examples as printed under %s', async (name, context) => {
    const program = needRuntime(context, name);
    const project = await ClientProject.create(await needNode(context, 24), tarball);
    try {
      await project.write(EXAMPLES);
      const caches = { DENO_DIR: project.folder, BUN_INSTALL_CACHE_DIR: project.folder };
      await runExamples(project, (example) =>
        project.runBy([program, ...RUN[name]], `${example}.ts`, { ...office.environment, ...caches }),
      );
    } finally {
      await project.close();
    }
  });

  test('has the types of the contract, also for pages of a browser', async (context) => {
    const project = await ClientProject.create(await needNode(context, 24), tarball);
    try {
      const page =
        "import { Faxdesk } from '@faxdesk/client';\nexport const make = () => new Faxdesk({ url: '', key: '' });\n";
      const programs = { page, same: SAME_TYPES };
      await project.write(programs);
      const lib = ['es2023', 'dom', 'dom.iterable'];
      await project.compile(programs, { lib, types: [], noEmit: true, allowImportingTsExtensions: true });
    } finally {
      await project.close();
    }
  });
});

describe('the guide for programs', () => {
  const GUIDE = fencedBlocks('docs/integrating.md');
  /** Text that the program of each section prints, in each language. */
  const PRINTS: Readonly<Record<string, RegExp>> = {
    'Send a fax': /^accepted as \S{36}$/u,
    'Retry safely': /^is sent now\nwas sent before$/u,
    'Wait for the outcome': /^ended with success$/u,
    'Receive faxes': /^stored \S{36}\.pdf$/u,
    Errors: /^invalid_fax_number: That fax number is incomplete or not valid\.$/u,
    Pages: /^2\n(?:2\n)*[12]$/u,
    Numbers: /^\+12025550123$/u,
    'Test keys': /^busy: busy$/u,
    Webhooks: /^trusted: yes, fax\.delivered$/u,
  };
  const headings = Object.keys(PRINTS);

  let project: ClientProject | null = null;
  afterAll(() => project?.close());

  /** Programs of a language by their names: the lines of the set-up, then those of the section. */
  function programsIn(language: string): Record<string, string> {
    const blocks = GUIDE.filter((block) => block.language === language);
    const [setUp, ...sections] = blocks;
    expect(sections.map(({ heading }) => heading)).toEqual(headings);
    return Object.fromEntries(
      sections.map(({ text }, index) => [`step-${index + 1}`, `${setUp?.text}\n${text}`]),
    );
  }

  /** Headers of a webhook, and the body in `body.json`. */
  async function webhook(folder: string): Promise<Record<string, string>> {
    const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
    const body = JSON.stringify({ type: 'fax.delivered', data: { id: 'fax-1' } });
    await writeFile(join(folder, 'body.json'), body);
    const now = new Date();
    return {
      WEBHOOK_SECRET: secret,
      WEBHOOK_ID: 'message-1',
      WEBHOOK_TIMESTAMP: String(Math.floor(now.getTime() / 1_000)),
      WEBHOOK_SIGNATURE: `v1,AAAA ${new Webhook(secret).sign('message-1', now, body)}`,
    };
  }

  test.for([
    ['ts', 'ts', []],
    ['sh', 'sh', ['sh', 'curl', 'openssl', 'base64', 'od']],
    ['python', 'py', ['python3']],
  ] as const)('has programs that work as printed: %s', async ([language, extension, tools], context) => {
    needTools(context, ...tools);
    project ??= await ClientProject.create(await needNode(context, 24), tarball);
    const programs = programsIn(language);
    await project.write(programs, extension);
    if (language === 'ts') await project.compile(programs, TYPES_ALONE);
    const environment: Record<string, string> = { ...office.environment, ...(await webhook(project.folder)) };
    const program = { ts: process.execPath, sh: 'sh', python: 'python3' }[language];
    for (const [index, heading] of headings.entries()) {
      if (heading === 'Receive faxes') await office.receive();
      if (heading === 'Test keys') environment['FAXDESK_KEY'] = await office.testKey();
      const printed = await project.runBy(program, `step-${index + 1}.${extension}`, environment);
      expect(printed.stdout.trim(), `${language}: ${heading}: ${printed.stderr}`).toMatch(
        PRINTS[heading] as RegExp,
      );
    }
  });
});
