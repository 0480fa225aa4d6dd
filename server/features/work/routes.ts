import type { z } from 'zod';
import { workRoutes as routes } from '../../../shared/api/work.ts';
import { workExportRoutes } from '../../../shared/api/work-export.ts';
import { workStatisticsRoutes } from '../../../shared/api/work-statistics.ts';
import type { Caller } from '../../http/caller.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import type { ActRequest } from './acts.ts';
import type { WorkService } from './service.ts';
import { statisticsAsCsv } from './statistics-csv.ts';

export function workServedRoutes(service: WorkService): ServedRoute[] {
  return [...readingRoutes(service), ...actingRoutes(service)];
}

function readingRoutes(service: WorkService): ServedRoute[] {
  return [
    serve(routes.listWork, ({ caller, query }) => service.list(caller, query)),
    serve(routes.countWork, ({ caller }) => service.counts(caller)),
    serve(routes.workSettings, () => service.settings()),
    serve(routes.changeWorkSettings, ({ caller, body }) => service.changeSettings(caller, body)),
    serve(routes.workNotes, ({ caller }) => service.noteSentences(caller)),
    serve(routes.getWork, ({ caller, params }) => service.get(caller, params.id)),
    serve(routes.workHistory, ({ caller, params }) => service.history(caller, params.id)),
    serve(workExportRoutes.exportWork, async ({ caller, currentCaller, params, request }) => {
      const isEmpty = request.method === 'HEAD';
      const { stream, sizeBytes, fileName } = await service.export(
        { caller, currentCaller, isEmpty },
        params.id,
      );
      const headers = { 'Content-Disposition': `attachment; filename="${fileName}"` };
      return new FileReply(stream, { contentType: 'application/zip', sizeBytes, headers });
    }),
    serve(routes.workAssignees, async ({ caller, params }) => ({
      people: await service.assignees(caller, params.id),
    })),
  ];
}

function actingRoutes(service: WorkService): ServedRoute[] {
  const present = async ({ caller, params }: { caller: Caller; params: { id: string } }) => {
    const {
      owner_can_see: _,
      notes: _notes,
      owner_change: _change,
      ...item
    } = await service.get(caller, params.id);
    return item;
  };
  return [
    serve(
      routes.assignWork,
      ({ caller, params, body }) =>
        service.act(
          caller,
          { ...params, version: body.version },
          { kind: 'assign', principalId: body.principal_id },
        ),
      { present },
    ),
    serve(
      routes.acknowledgeWork,
      ({ caller, params, body }) =>
        service.act(caller, { ...params, version: body.version }, { kind: 'acknowledge' }),
      { present },
    ),
    serve(
      routes.finishWork,
      ({ caller, params, body }) =>
        service.act(caller, { ...params, version: body.version }, { kind: 'done', note: body.note }),
      { present },
    ),
    serve(
      routes.noteWork,
      ({ caller, params, body }) =>
        service.act(caller, { ...params, version: body.version }, { kind: 'note', note: body.note }),
      { present },
    ),
    serve(routes.changeWork, async ({ caller, body }) => ({
      items: await service.actOnAll(caller, body.items, requestOf(body)),
    })),
    serve(
      routes.reopenWork,
      ({ caller, params, body }) =>
        service.act(caller, { ...params, version: body.version }, { kind: 'reopen' }),
      { present },
    ),
    serve(
      routes.undoWork,
      ({ caller, params, body }) => service.undo(caller, { ...params, version: body.version }),
      { present },
    ),
  ];
}

function requestOf(body: z.infer<NonNullable<typeof routes.changeWork.body>>): ActRequest {
  switch (body.action) {
    case 'assign':
      return { kind: 'assign', principalId: body.principal_id };
    case 'done':
    case 'note':
      return { kind: body.action, note: body.note };
    case 'acknowledge':
    case 'reopen':
      return { kind: body.action };
  }
}

/** Served before single items, whose ids have the same position in the path. */
export function workStatisticsServedRoutes(service: WorkService): ServedRoute[] {
  return [
    serve(workStatisticsRoutes.workStatistics, ({ query }) => service.statistics(query)),
    serve(workStatisticsRoutes.exportWorkStatistics, async ({ query }) => {
      const statistics = await service.statistics(query);
      const fileName = `faxdesk-work-${statistics.until.slice(0, 10)}.csv`;
      return new FileReply(Buffer.from(statisticsAsCsv(statistics)), {
        contentType: 'text/csv; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
      });
    }),
  ];
}
