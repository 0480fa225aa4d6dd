import { workStatisticsRoutes } from '../../shared/api/work-statistics.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Client of the work statistics. It is loaded with their screen, not with the first screen. */
export const { workStatistics } = createRooms({ workStatistics: workStatisticsRoutes }, origin);

export type Statistics = Awaited<ReturnType<typeof workStatistics.workStatistics>>;
