import { workStatisticsRoutes as routes } from '../../../shared/api/work-statistics.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import type { WorkService } from './service.ts';
import { statisticsAsCsv } from './statistics-csv.ts';

/** Served before single items, whose ids have the same position in the path. */
export function workStatisticsServedRoutes(service: WorkService): ServedRoute[] {
  return [
    serve(routes.workStatistics, ({ query }) => service.statistics(query)),
    serve(routes.exportWorkStatistics, async ({ query }) => {
      const statistics = await service.statistics(query);
      const fileName = `faxdesk-work-${statistics.until.slice(0, 10)}.csv`;
      return new FileReply(Buffer.from(statisticsAsCsv(statistics)), {
        contentType: 'text/csv; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
      });
    }),
  ];
}
