package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"time"
)

// checkHealth asks the server that LISTEN and PORT name, for container images without a shell.
func checkHealth(arguments []string, c config) error {
	parse(flag.NewFlagSet("health", flag.ExitOnError), arguments, 0)
	client := http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second} // without a proxy
	response, err := client.Get("http://" + net.JoinHostPort(c.listen, c.port) + "/api/health")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", response.Status)
	}
	return nil
}
