import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../server/platform/ipp/decode.ts';
import { encodeMessage } from '../../server/platform/ipp/encode.ts';
import {
  GROUP,
  type IppAttribute,
  IppFormatError,
  type IppMessage,
} from '../../server/platform/ipp/message.ts';
import { readMessage } from '../../server/platform/ipp/read-message.ts';
import { attribute, dateTime, noValue } from '../../server/platform/ipp/values.ts';
import { ippRequest } from '../setup/ipp-client.ts';

const messageOf = (attributes: readonly IppAttribute[]): IppMessage => ({
  version: { major: 2, minor: 0 },
  code: 2,
  requestId: 1,
  groups: [{ tag: GROUP.operation, attributes }],
});

const ALL_KINDS: IppAttribute[] = [
  attribute('integer', 'integer', -5, 7),
  attribute('enum', 'enum', 3),
  attribute('boolean', 'boolean', true, false),
  noValue('none'),
  attribute('unknown', 'unknown', null),
  attribute('text', 'text', 'Grüße'),
  attribute('name', 'name', 'Mara'),
  attribute('keyword', 'keyword', 'one-sided', 'auto'),
  attribute('uri', 'uri', 'ipp://127.0.0.1/ipp/print'),
  attribute('format', 'mimeMediaType', 'application/pdf'),
  attribute('octets', 'octetString', Buffer.of(0, 1, 2)),
  attribute('time', 'dateTime', dateTime(Date.UTC(2026, 0, 2, 3, 4, 5, 600))),
  attribute('range', 'range', { lower: 1, upper: 99 }),
  attribute('resolution', 'resolution', { x: 300, y: 600, unit: 3 }),
  attribute('media-col', 'collection', [
    attribute('media-size', 'collection', [attribute('x-dimension', 'integer', 21_000)]),
    attribute('media-type', 'keyword', 'stationery', 'auto'),
  ]),
];

/** A body in pieces of a size. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A value with its name, as bytes. */
function item(tag: number, name: string, value: Buffer): Buffer {
  const head = Buffer.alloc(3);
  head.writeUInt8(tag);
  head.writeUInt16BE(name.length, 1);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(value.length);
  return Buffer.concat([head, Buffer.from(name), length, value]);
}

const HEAD = Buffer.of(2, 0, 0, 2, 0, 0, 0, 1, GROUP.operation);
const END = Buffer.of(GROUP.end);
const EMPTY = Buffer.alloc(0);

describe('a message of IPP', () => {
  it('has the same values after it was encoded and decoded', () => {
    const message = messageOf(ALL_KINDS);
    expect(decodeMessage(encodeMessage(message))).toEqual(message);
  });

  it('is read with the document after it, in pieces of any size', async () => {
    const whole = Buffer.concat([encodeMessage(messageOf(ALL_KINDS)), Buffer.from('%PDF-1.7')]);
    for (const size of [1, 2, 3, 7, 64, whole.length]) {
      const { message, document } = await readMessage(inPieces(whole, size));
      expect(message).toEqual(messageOf(ALL_KINDS));
      expect((await readAll(document)).toString()).toBe('%PDF-1.7');
    }
  });

  it.each([
    ['nothing', EMPTY],
    ['only its version', Buffer.of(2, 0)],
    ['no end', HEAD],
    ['a value before any group', Buffer.concat([HEAD.subarray(0, 8), item(0x44, 'a', EMPTY), END])],
    ['a further value of no attribute', Buffer.concat([HEAD, item(0x44, '', EMPTY), END])],
    ['an integer of three bytes', Buffer.concat([HEAD, item(0x21, 'a', Buffer.alloc(3)), END])],
    ['a boolean of 2', Buffer.concat([HEAD, item(0x22, 'a', Buffer.of(2)), END])],
    ['a text that is not UTF-8', Buffer.concat([HEAD, item(0x41, 'a', Buffer.of(0xff)), END])],
    ['a name that is too long', Buffer.concat([HEAD, item(0x44, 'a'.repeat(300), EMPTY), END])],
    ['a collection without an end', Buffer.concat([HEAD, item(0x34, 'a', EMPTY), END])],
    ['an end of no collection', Buffer.concat([HEAD, item(0x37, 'a', EMPTY), END])],
    [
      'a member without a value',
      Buffer.concat([
        HEAD,
        item(0x34, 'a', EMPTY),
        item(0x4a, '', Buffer.from('b')),
        item(0x37, '', EMPTY),
        END,
      ]),
    ],
    ['a length beyond its end', Buffer.concat([HEAD, Buffer.of(0x44, 0, 1, 97, 0xff, 0xff), END])],
  ])('with %s is refused', async (_what, bytes) => {
    await expect(readMessage(inPieces(bytes, 5))).rejects.toThrow(IppFormatError);
  });

  it('is refused with collections nested without end, too many values, or 64 KiB without an end', async () => {
    const nested = Buffer.concat([
      HEAD,
      item(0x34, 'a', EMPTY),
      ...Array.from({ length: 2_000 }, () =>
        Buffer.concat([item(0x4a, '', Buffer.from('m')), item(0x34, '', EMPTY)]),
      ),
    ]);
    const many = Buffer.concat([
      HEAD,
      item(0x44, 'a', EMPTY),
      ...Array(2_000).fill(item(0x44, '', EMPTY)),
      END,
    ]);
    const large = Buffer.concat([HEAD, ...Array(20_000).fill(item(0x44, 'a', EMPTY))]);
    for (const bytes of [Buffer.concat([nested, END]), many, large])
      await expect(readMessage(inPieces(bytes, 1_000))).rejects.toThrow(IppFormatError);
  });

  it('rule (printing): costs time in proportion to its size, in single bytes and at its worst', async () => {
    // The most values that fit into a message: with one more byte each, or with none at all.
    const worst = (values: number) =>
      Buffer.concat([HEAD, item(0x44, 'a', EMPTY), ...Array(values).fill(item(0x44, '', EMPTY)), END]);
    // Processor time of this thread for so many values in all: other work on the computer takes none of it.
    const time = async (values: number) => {
      const bytes = worst(values);
      const begun = process.threadCpuUsage();
      for (let read = 0; read < 190_000; read += values) await readMessage(inPieces(bytes, 1));
      const { user, system } = process.threadCpuUsage(begun);
      return (user + system) / 1_000;
    };
    await time(1_900);
    const [small, large] = [await time(200), await time(1_900)];
    expect(large / small).toBeLessThan(4);
    expect(large).toBeLessThan(50_000);
  });

  it('rule (printing): damaged anywhere is decoded or refused, and never ends otherwise', async () => {
    const document = Buffer.from('%PDF-1.7 and more');
    const good = ippRequest('ipp://127.0.0.1/ipp/print', 'printJob', { job: ALL_KINDS, document });
    let seed = 20_261_128;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    const outcomes = { decoded: 0, refused: 0 };
    for (let round = 0; round < 1_500; round += 1) {
      const bytes = Buffer.from(good);
      for (let change = 0; change < 3; change += 1) bytes[random(bytes.length)] = random(256);
      try {
        const { message } = await readMessage(inPieces(bytes.subarray(0, bytes.length - random(40)), 100));
        expect(message.groups.length).toBeLessThan(100);
        outcomes.decoded += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(IppFormatError);
        outcomes.refused += 1;
      }
    }
    expect(outcomes.decoded).toBeGreaterThan(20);
    expect(outcomes.refused).toBeGreaterThan(100);
  });
});
