export { devicesOf, forgetDevicesOf, type PushDoc, PushModel } from './devices.ts';
export { createPush, type Delivery, type Notice, newVapidKey, type Push, vapidKeys } from './send.ts';
