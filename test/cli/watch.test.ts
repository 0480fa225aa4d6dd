import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followFaxChanges } from '../../server/cli/follow-changes.ts';
import { openLiveScreen } from '../../server/cli/live-screen.ts';
import { type Client, UnreachableError } from '../../shared/client/index.ts';
import { eventually } from '../setup/eventually.ts';
import type { Fax } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

describe('faxdesk watch', () => {
  let cli: CommandLine;
  let letter: string;
  beforeAll(async () => {
    cli = await openCommandLine();
    letter = join(cli.folder, 'letter.txt');
    await writeFile(letter, 'Dear colleague\n');
    await cli.serve();
  });
  afterAll(() => cli.close());

  test('prints a line for each change that matches the filter, and ends with Ctrl-C', async () => {
    const watched = startWatch(['--to', '+12025550123']);
    const json = startWatch(['--json']);
    await Promise.all([watched.isListening(), json.isListening()]);
    const other = await cli.json<Fax>('send', '(202) 555-0199', letter);
    const fax = await cli.json<Fax>('send', '(202) 555-0123', letter);
    await eventually(() => expect(watched.text()).toContain(`${fax.id}  +12025550123  sending`));
    await eventually(() => expect(json.text()).toContain(other.id));
    expect(watched.text()).not.toContain(other.id);
    const lines = json
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fax);
    const versions = lines.map(({ id, delivery_version }) => `${id} ${delivery_version}`);
    expect(new Set(versions).size).toBe(versions.length);
    expect(await Promise.all([watched.interrupt(), json.interrupt()])).toEqual([0, 0]);
  });

  test('refuses a state that does not exist', async () => {
    const { code, err } = await cli.run(['watch', '--state', 'lost']);
    expect([code, err]).toEqual([9, expect.stringMatching(/^--state must be one of held, /u)]);
  });

  function startWatch(options: readonly string[]) {
    const child = cli.spawn(['watch', ...options]);
    let out = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    return {
      text: () => out,
      /** A fax of its own shows that changes arrive. */
      async isListening() {
        await eventually(async () => {
          await cli.json<Fax>('send', '(202) 555-0123', letter);
          expect(out).not.toBe('');
        });
      },
      async interrupt() {
        child.kill('SIGINT');
        const [code] = (await once(child, 'exit')) as [number | null];
        return code;
      },
    };
  }
});

describe('changes for a command', () => {
  const quick = { after: '1', pollMs: 1, silenceMs: 20, onConnection: () => undefined };

  test('are polled where the stream is held back', async () => {
    const ended = new AbortController();
    const asked: unknown[] = [];
    const changes = followFaxChanges(
      clientWith({
        async *stream(_route: unknown, { signal }: { signal: AbortSignal }) {
          await once(signal, 'abort');
          yield* [];
          throw new Error('held back');
        },
        changes: async ({ query }: { query: unknown }) => {
          asked.push(query);
          const events = [{ id: '2', kind: 'fax.changed', data: { id: 'fax-1', delivery_version: 2 } }];
          return { events: asked.length === 1 ? events : [], next: '2', reset: asked.length === 3 };
        },
      }),
      { ...quick, signal: ended.signal },
    );
    expect((await changes.next()).value).toEqual({ ids: ['fax-1'] });
    expect((await changes.next()).value).toEqual({ ids: null });
    expect(asked).toEqual([{ after: '1' }, { after: '2' }, { after: '2' }]);
    ended.abort();
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });

  test('continue without a gap when the gateway was away, also where an event comes in pieces', async () => {
    const ended = new AbortController();
    const connections: boolean[] = [];
    const after: unknown[] = [];
    const pieces = [
      ['id: 1\ndata: {}\n\nid: 2\nevent: fax.cha', 'nged\ndata: {"id":"fax-1","delivery_version":2}\n\n'],
      [],
      ['id: 3\nevent: work.changed\ndata: {"id":"x","version":1}\n\nid: 4\nevent: reset\ndata: {}\n\n'],
    ];
    const changes = followFaxChanges(
      clientWith({
        async *stream(_route: unknown, { query }: { query: { after: string } }) {
          after.push(query.after);
          for (const piece of pieces[after.length - 1] ?? []) yield new TextEncoder().encode(piece);
          throw new UnreachableError('away');
        },
        changes: async () => {
          throw new Error('nothing is polled while streams work');
        },
      }),
      { ...quick, signal: ended.signal, onConnection: (isConnected) => connections.push(isConnected) },
    );
    expect((await changes.next()).value).toEqual({ ids: ['fax-1'] });
    expect((await changes.next()).value).toEqual({ ids: null });
    expect(after).toEqual(['1', '2', '2']);
    expect(connections).toEqual([true, true, false, false, true]);
    ended.abort();
  });

  function clientWith({ stream, changes }: { stream: unknown; changes: unknown }): Client {
    return { stream, console: { changes } } as unknown as Client;
  }
});

test('a live list is drawn in place, within the terminal, and leaves it as it was', () => {
  const written: string[] = [];
  const output = { isTTY: true, columns: 5, rows: 2, write: (text: string) => written.push(text) };
  const screen = openLiveScreen(output);
  screen?.draw(['1234567', 'second', 'third']);
  output.columns = 10;
  screen?.draw(['1234567']);
  screen?.close();
  expect(written.join('')).toBe(
    '\u001B[?1049h\u001B[?25l\u001B[H12345\u001B[K\r\nsecon\u001B[K\u001B[J\u001B[H1234567\u001B[K\u001B[J\u001B[?25h\u001B[?1049l',
  );
  expect(openLiveScreen({ write: () => undefined })).toBeNull();
});
