declare const self: ServiceWorkerGlobalScope

export const scope = self
