export { createDeliverer, type Deliverer } from './deliver.ts';
export { webhookRequests } from './openapi.ts';
export { tellOfRule } from './outbox.ts';
