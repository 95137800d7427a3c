/** Stands in for the notices where there is no screen. */
export default Object.assign(() => '', { success: () => '', error: () => '', dismiss: () => undefined });
