import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { findPictures } from '../../server/features/desk/store.ts';
import { DESK_LIMITS } from '../../shared/desk.ts';
import { framedPdf } from '../fixtures/sheet-pdf.ts';
import { signaturePicture, stampPicture } from '../fixtures/signature-picture.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

const TO = '+12025550123';
const BOX = { x: 0.2, y: 0.6, width: 0.4, height: 0.1 };
const EVERYWHERE = { installation: ['fax:send', 'fax:read', 'fax:document'] };

interface Signature {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly detail?: string;
}

describe.each(STORES)('signatures and stamps on %s', (store) => {
  let gateway: TestGateway;
  let databaseUrl: string | null;
  let mara: Person;
  let ivo: Person;
  beforeAll(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
    const people = new MailboxPeople(gateway, databaseUrl);
    mara = await people.addUser('Mara Okafor', EVERYWHERE);
    ivo = await people.addUser('Ivo Lee', EVERYWHERE);
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  async function add(
    person: Pick<Person, 'key'>,
    { kind = 'signature', name = 'Whole name', file }: { kind?: string; name?: string; file?: Buffer },
  ) {
    const form = new FormData();
    form.set('kind', kind);
    form.set('name', name);
    form.set('file', new File([Uint8Array.from(file ?? (await signaturePicture()))], 'picture.png'));
    const answer = await gateway.request('POST', '/desk/signatures', { form, key: person.key });
    return {
      ...((await answer.json()) as Signature),
      status: answer.status,
      code: answer.headers.get('x-error-code'),
    };
  }
  const list = async ({ key }: Pick<Person, 'key'>) =>
    ((await (await gateway.request('GET', '/desk/signatures', { key })).json()) as { items: Signature[] })
      .items;
  const remove = ({ key }: Pick<Person, 'key'>, id: string) =>
    gateway.request('DELETE', `/desk/signatures/${id}`, { key });
  const pdfFile = () => new File([framedPdf({ width: 595, height: 842 })], 'form.pdf');
  const editsWith = (id: string, kind = 'signature') =>
    JSON.stringify([[{ page: 1, marks: [{ kind, box: BOX, picture: id }] }]]);
  function send({ key }: Pick<Person, 'key'>, page_edits: string) {
    const form = new FormData();
    form.set('to', TO);
    form.set('page_edits', page_edits);
    form.set('file', pdfFile());
    return gateway.request('POST', '/fax', { form, key });
  }
  async function audited(operation: string) {
    const answer = await gateway.request('GET', `/access/audit?operation=${operation}`);
    return ((await answer.json()) as { items: Record<string, unknown>[] }).items;
  }

  test('a person adds, lists, gets and removes a signature, which is cut to its ink on white', async () => {
    const added = await add(mara, {});
    expect(added).toMatchObject({ status: 200, kind: 'signature', name: 'Whole name' });
    expect(added.width).toBeLessThan(450);
    expect(added.height).toBeLessThan(250);
    expect(await list(mara)).toEqual([expect.objectContaining({ id: added.id, width: added.width })]);
    const answer = await gateway.request('GET', `/desk/signatures/${added.id}/picture`, { key: mara.key });
    expect(answer.headers.get('content-type')).toBe('image/png');
    const picture = sharp(Buffer.from(await answer.arrayBuffer()));
    const { data, info } = await picture.greyscale().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([added.width, added.height]);
    // The tint of the paper is gone, and ink is black.
    expect([data[0], Math.min(...data)]).toEqual([255, 0]);
    expect((await remove(mara, added.id)).status).toBe(200);
    expect(await list(mara)).toEqual([]);
    expect((await remove(mara, added.id)).status).toBe(404);
    expect((await audited('signature.add'))[0]).toMatchObject({
      actor: { id: mara.id },
      details: { kind: 'signature', name: 'Whole name' },
    });
    expect(await audited('signature.remove')).toHaveLength(1);
  });

  test('pictures that cannot be one, too many of them, and those of programs are refused', async () => {
    const white = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#fefefe' } })
      .png()
      .toBuffer();
    expect(await add(mara, { file: white })).toMatchObject({
      status: 400,
      code: 'signature_refused',
      detail: 'The picture is empty. Use dark ink on white paper.',
    });
    for (const file of [Buffer.from('%PDF-1.4'), (await stampPicture()).subarray(0, 900), Buffer.alloc(0)])
      expect(await add(mara, { file })).toMatchObject({ status: 400, code: 'signature_refused' });
    expect(await add(mara, { file: Buffer.alloc(DESK_LIMITS.pictureBytes + 1) })).toMatchObject({
      code: 'signature_refused',
    });
    expect(await add(mara, { name: ' ' })).toMatchObject({ status: 400 });
    expect(await add(mara, { kind: 'seal' })).toMatchObject({ status: 400 });
    const program = (await (
      await gateway.request('POST', '/admin/api-keys', { json: { scopes: ['fax:send'] } })
    ).json()) as { token: string };
    expect(await add({ key: program.token }, {})).toMatchObject({ code: 'signatures_of_people' });
    for (let i = 0; i < DESK_LIMITS.pictures; i++)
      expect((await add(ivo, { kind: 'stamp', name: `Stamp ${i}` })).status).toBe(200);
    expect(await add(ivo, {})).toMatchObject({ status: 409, code: 'too_many_signatures' });
    for (const { id } of await list(ivo)) await remove(ivo, id);
  });

  test('rule (desk): nobody but its person sees, gets or removes a signature, and it is sealed in the store', async () => {
    const { id } = await add(mara, { name: 'Secret name' });
    expect(await list(ivo)).toEqual([]);
    expect((await gateway.request('GET', `/desk/signatures/${id}/picture`, { key: ivo.key })).status).toBe(
      404,
    );
    expect((await gateway.request('GET', `/desk/signatures/${id}/picture`)).status).toBe(404);
    expect((await remove(ivo, id)).status).toBe(404);
    const db = openDatabase({
      postgresUrl: databaseUrl,
      sqliteFile: join(gateway.dataFolder, 'faxdesk.sqlite'),
    });
    const [row] = await findPictures(db.read, [id]);
    await db.close();
    expect(JSON.stringify(row)).not.toContain('Secret name');
    expect(JSON.stringify(row)).not.toContain(Buffer.from('\x89PNG\r\n', 'latin1').toString('base64'));
    expect(row?.person_id).toBe(mara.id);
    await remove(mara, id);
  });

  test('a signature and a stamp are drawn on the page, and the fax, its history and the audit name whose they are', async () => {
    const signature = await add(mara, { name: 'Short' });
    const stamp = await add(mara, { kind: 'stamp', name: 'Paid', file: await stampPicture() });
    const marks = [
      { kind: 'signature', box: BOX, picture: signature.id },
      { kind: 'stamp', box: { ...BOX, y: 0.2 }, picture: stamp.id },
      { kind: 'signature', box: { ...BOX, y: 0.8 }, picture: signature.id },
    ];
    const answer = await send(mara, JSON.stringify([[{ page: 1, marks }]]));
    expect(answer.status).toBe(202);
    const fax = (await answer.json()) as Fax;
    expect(fax.edits).toMatchObject({ signatures: 2, stamps: 1, signed_by: 'Mara Okafor' });
    const { events } = (await (
      await gateway.request('GET', `/fax/${fax.id}/history`, { key: mara.key })
    ).json()) as { events: { text: string }[] };
    expect(events[0]?.text).toContain('2 signatures of Mara Okafor added, 1 stamp of Mara Okafor added');
    const placed = (await audited('signature.place')).filter(
      ({ target }) => (target as { id: string }).id === fax.id,
    );
    expect(placed).toHaveLength(2);
    expect(placed.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ kind: 'stamp', name: 'Paid', signature: stamp.id }),
    );
    // A copy by another person says whose they are, and places nothing.
    await gateway.request('POST', `/fax/${fax.id}/cancel`, {
      json: { delivery_version: fax.delivery_version },
    });
    const copy = (await (
      await gateway.request('POST', `/fax/${fax.id}/resend`, { json: {}, key: ivo.key })
    ).json()) as Fax;
    expect(copy.edits).toMatchObject({ signed_by: 'Mara Okafor' });
    expect(copy.document.sha256).toBe(fax.document.sha256);
    expect(await audited('signature.place')).toHaveLength(2);
    await remove(mara, signature.id);
    await remove(mara, stamp.id);
  });

  test('every fax of a broadcast has the signature of its person, and that of another person is refused', async () => {
    const { id } = await add(mara, {});
    const broadcast = ({ key }: Pick<Person, 'key'>, recipients: string) => {
      const form = new FormData();
      form.set('recipients', recipients);
      form.set('page_edits', editsWith(id));
      form.set('file', pdfFile());
      return gateway.request('POST', '/broadcasts', { form, key });
    };
    const refused = await broadcast(ivo, '+12025550161\n+12025550162');
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'not_your_signature']);
    await refused.arrayBuffer();
    const answer = await broadcast(mara, '+12025550163\n+12025550164');
    expect(answer.status).toBe(202);
    const sent = ((await answer.json()) as { broadcast: { id: string; edits: unknown } }).broadcast;
    const edits = { signatures: 1, signed_by: 'Mara Okafor' };
    expect(sent.edits).toMatchObject(edits);
    await gateway.processAll();
    const list = await gateway.request('GET', `/fax?broadcast_id=${sent.id}`);
    const { items } = (await list.json()) as { items: Fax[] };
    expect(items).toMatchObject([{ edits }, { edits }]);
    const single = (await (await send(mara, editsWith(id))).json()) as Fax;
    // The same pages as a single fax with the same signature.
    for (const fax of items) expect(fax.document.sha256).toBe(single.document.sha256);
    await remove(mara, id);
  });

  test('rule (desk): a fax and a preview with the signature of another person are refused, and that is audited', async () => {
    const { id } = await add(mara, {});
    const sentence =
      'A signature or stamp on the pages is not yours, or it was removed. Take it off the page or place one of your own. Nothing was sent.';
    const before = (await audited('signature.place')).length;
    for (const [person, edits] of [
      [ivo, editsWith(id)],
      // As another kind, and one that nobody has.
      [mara, editsWith(id, 'stamp')],
      [mara, editsWith('nobody')],
    ] as const) {
      const answer = await send(person, edits);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, 'not_your_signature']);
      expect(await answer.json()).toMatchObject({ detail: sentence });
    }
    const form = new FormData();
    form.set('file', pdfFile());
    const preview = async (person: Person) =>
      (await (await gateway.request('POST', '/fax/preview', { form, key: person.key })).json()) as {
        preview_id: string;
      };
    const redraw = async (person: Person) =>
      gateway.request('POST', `/fax/preview/${(await preview(person)).preview_id}/redraw`, {
        json: { clean_greys: false, page_edits: JSON.parse(editsWith(id)) },
        key: person.key,
      });
    expect((await redraw(ivo)).status).toBe(403);
    const audit = await audited('signature.place');
    expect(audit).toHaveLength(before + 4);
    expect(audit[0]).toMatchObject({
      outcome: 'refused',
      actor: { id: ivo.id },
      target: { kind: 'signature', id },
    });
    expect((await list(mara)).length).toBe(1);
    // A fax sends the pages of its preview, even after the signature was removed.
    const own = (await (await redraw(mara)).json()) as { preview_id: string };
    await remove(mara, id);
    const order = new FormData();
    order.set('to', TO);
    order.set('preview_id', own.preview_id);
    const fax = (await (await gateway.request('POST', '/fax', { form: order, key: mara.key })).json()) as Fax;
    expect(fax.edits).toMatchObject({ signatures: 1, signed_by: 'Mara Okafor' });
  });
});
