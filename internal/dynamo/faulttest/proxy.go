package faulttest

import (
	"net"
	"net/http"
	"net/http/httptest"
)

// A Proxy injects faults between the SDK and DynamoDB over the network.
type Proxy struct {
	forwarder
	server *httptest.Server
}

// NewProxy returns a proxy for the DynamoDB at that endpoint, without a fault.
func NewProxy(dynamodb string) *Proxy {
	p := &Proxy{}
	p.open(dynamodb)
	p.server = httptest.NewServer(p)
	return p
}

// Endpoint is the address of the proxy for the SDK.
func (p *Proxy) Endpoint() string { return p.server.URL }

// Close makes the proxy refuse connections.
func (p *Proxy) Close() {
	p.server.CloseClientConnections()
	p.server.Close()
	p.client.CloseIdleConnections()
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	response, err := p.handle(r, p.send)
	if err != nil {
		return
	}
	switch response.ending {
	case hanging:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case reset:
		hangUp(w, nil)
	case truncated:
		hangUp(w, response.Body)
	}
	for name, values := range response.header {
		w.Header()[name] = values
	}
	w.WriteHeader(response.Status)
	_, _ = w.Write(response.Body)
}

// hangUp resets the connection, or closes it after the head and the first half of
// a response if there is one. It does not return.
func hangUp(w http.ResponseWriter, body []byte) {
	connection, writer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	if body != nil {
		_, _ = writer.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n")
		_, _ = writer.Write(body[:len(body)/2])
		_ = writer.Flush()
	} else if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // an RST instead of a FIN
	}
	_ = connection.Close()
	panic(http.ErrAbortHandler)
}
