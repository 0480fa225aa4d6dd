export { type AuditVerification, verifySecurityAudit } from './verify.ts';
