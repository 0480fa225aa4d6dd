import { contactsRoutes as routes } from '../../../shared/api/contacts.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { UploadedFile } from '../../http/multipart.ts';
import { FileReply } from '../../http/reply.ts';
import { uploadedBytes } from '../../http/uploaded-bytes.ts';
import { fileRefused } from './errors.ts';
import type { ContactsService } from './service.ts';

export function contactsServedRoutes(service: ContactsService): ServedRoute[] {
  return [
    serve(routes.listContacts, ({ caller, query }) => service.list(caller, query)),
    // Registered before the route of a contact, which would match these words as an ID.
    serve(routes.completeContacts, ({ caller, query }) => service.complete(caller, query)),
    serve(routes.listDirectoryEntries, ({ caller, query }) => service.listDirectoryEntries(caller, query)),
    serve(routes.listContactTags, ({ caller }) => service.tags(caller)),
    ...optOutRoutes(service),
    serve(routes.exportContacts, async ({ caller, query: { format } }) => {
      const bytes = new TextEncoder().encode(await service.exportFile(caller, format));
      return new FileReply(
        bytes,
        format === 'csv'
          ? { contentType: 'text/csv; charset=utf-8', fileName: 'contacts.csv' }
          : { contentType: 'text/vcard; charset=utf-8', fileName: 'contacts.vcf', isDownload: true },
      );
    }),
    serve(routes.importContacts, async ({ caller, fields, files }) =>
      service.importFile(caller, {
        bytes: await bytesOf(files[0]),
        updates: fields.existing === 'update',
        checkOnly: fields.check_only,
      }),
    ),
    serve(routes.getContact, ({ caller, params }) => service.get(caller, params.id)),
    serve(routes.getContactHistory, ({ caller, params }) => service.history(caller, params.id)),
    serve(
      routes.mergeContacts,
      ({ caller, params, body: { version, other_id, other_version, check_only } }) => {
        const other = { id: other_id, version: other_version };
        return service.merge(caller, { id: params.id, version }, other, check_only);
      },
      { present: ({ caller, params }) => service.get(caller, params.id) },
    ),
    serve(routes.createContact, ({ caller, body }) => service.create(caller, body)),
    serve(
      routes.changeContact,
      ({ caller, params, body: { version, ...patch } }) =>
        service.change(caller, { id: params.id, version }, patch),
      { present: ({ caller, params }) => service.get(caller, params.id) },
    ),
    serve(routes.removeContact, ({ caller, params, body }) =>
      service.remove(caller, { id: params.id, version: body.version }),
    ),
    serve(routes.forgetLineMemory, ({ caller, params }) => service.forgetLineMemory(caller, params.id)),
  ];
}

function optOutRoutes(service: ContactsService): ServedRoute[] {
  return [
    serve(routes.listOptOuts, ({ caller, query }) => service.searchOptOuts(caller, query)),
    serve(routes.addOptOut, ({ caller, body }) => service.addOptOut(caller, body)),
    serve(routes.importOptOuts, async ({ caller, fields, files }) => {
      const [file] = files;
      if (file && file.sizeBytes > LIMITS.contactsFileBytes)
        throw fileRefused('The file is larger than 5 MB. Split it and import the parts.');
      const { note, check_only: checkOnly } = fields;
      return service.importOptOuts(caller, { bytes: await bytesOf(file), note: note || null, checkOnly });
    }),
    serve(routes.removeOptOut, ({ caller, params }) => service.removeOptOut(caller, params.number)),
  ];
}

async function bytesOf(file: UploadedFile | undefined): Promise<Uint8Array> {
  if (!file) throw new Error('the form has a file');
  if (file.sizeBytes > LIMITS.vcardFileBytes)
    throw fileRefused('The file is larger than 20 MB. Split it and import the parts.');
  return uploadedBytes(file);
}
